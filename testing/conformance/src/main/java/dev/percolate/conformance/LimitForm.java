package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParser;
import org.jspecify.annotations.Nullable;

/**
 * Sets the limits of body parsers, including negative ones and fractions, which Percolate rejects.
 */
final class LimitForm {

  private static final String TOO_LARGE = "entity.too.large";

  private LimitForm() {}

  /**
   * Sets the limit of a parser. Invalid limits are passed unchanged, so that the parser rejects
   * them.
   */
  static BodyParser<?> limited(BodyParser<?> parser, @Nullable Object limit) {
    if (limit == null) {
      return parser.limit(null);
    }
    double bytes = Quantities.bytes(limit);
    return Double.isNaN(bytes)
        ? parser.limit(ScriptValues.text(limit))
        : parser.limit((long) Math.max(0, Math.floor(bytes)));
  }

  /**
   * Makes errors contain the limit as it was given. A negative limit rejects all declared bodies.
   */
  static Middleware told(BodyParser<?> parser, @Nullable Object limit) {
    double bytes = Quantities.bytes(limit);
    if (Double.isNaN(bytes) || (bytes >= 0 && bytes == Math.floor(bytes))) {
      return parser;
    }
    return (req, res, next) -> {
      try {
        parser.handle(req, res, new LimitNext(bytes, req, next));
      } catch (HttpError e) {
        throw told(e, bytes);
      }
    };
  }

  private static HttpError told(HttpError error, double limit) {
    return TOO_LARGE.equals(error.type())
        ? error.with("limit", limit == Math.rint(limit) ? (Object) (long) limit : limit)
        : error;
  }

  /** Sets the limit as it was given in errors of a parser. */
  private static final class LimitNext extends WrappedNext {

    private final double limit;
    private final Request req;
    private final @Nullable Object before;

    LimitNext(double limit, Request req, Next next) {
      super(next);
      this.limit = limit;
      this.req = req;
      this.before = req.body();
    }

    @Override
    public void run() {
      boolean announced = req.get("Content-Length") != null && req.get("Content-Encoding") == null;
      if (limit < 0 && announced && req.body() != before) { // an empty body was parsed
        RequestControl.body(req, before);
        HttpError error = new HttpError(413, "request entity too large", TOO_LARGE, null);
        super.fail(told(error.with("length", 0).with("expected", 0), limit));
      } else {
        super.run();
      }
    }

    @Override
    public void fail(Throwable error) {
      super.fail(error instanceof HttpError http ? told(http, limit) : error);
    }
  }
}
