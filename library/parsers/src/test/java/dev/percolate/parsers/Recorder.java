package dev.percolate.parsers;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.TestExchange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends a request through parsers, checked by {@link Lint}, and records the request after them. */
final class Recorder {

  private static final Settings SETTINGS = new Settings().set("env", "test").set("etag", false);

  @Nullable Request req;
  @Nullable Object body;
  @Nullable Throwable error;
  @Nullable Thread thread;
  int calls;

  static Recorder play(TestExchange exchange, Middleware... steps) {
    Recorder recorder = new Recorder();
    Lint lint = new Lint();
    List<Middleware> all = new ArrayList<>();
    for (Middleware step : steps) {
      all.add(lint.around(step));
    }
    all.add(
        (req, res, next) -> {
          recorder.see(req, null);
          res.end();
        });
    ErrorHandler errors =
        (error, req, res, next) -> {
          recorder.see(req, error);
          res.status(400).end();
        };
    all.add(errors);
    Service service = Chain.service(SETTINGS, all.toArray(Middleware[]::new));
    exchange.serve(lint.service(service)).reply();
    lint.check();
    return recorder;
  }

  /** Returns the error, which must have a status code. */
  HttpError error() {
    if (error instanceof HttpError known) {
      return known;
    }
    throw new AssertionError("no HttpError but " + body, error);
  }

  /** Returns status code, type and message of the error. */
  String failure() {
    return error().status() + " " + error().type() + " " + error().getMessage();
  }

  /** Returns the body; fails if there was an error. */
  @Nullable Object body() {
    if (error != null) {
      throw new AssertionError(error);
    }
    return body;
  }

  private void see(Request seen, @Nullable Throwable failure) {
    calls++;
    req = seen;
    body = seen.body();
    error = failure;
    thread = Thread.currentThread();
  }
}
