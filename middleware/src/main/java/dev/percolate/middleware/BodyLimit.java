package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ByteSize;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HttpError;

/**
 * Limits how long the bodies of requests may be, by whatever they are read.
 *
 * <p>A {@code Content-Length} beyond the limit is the error 413, and nothing is read. A body that
 * does not tell its length is cut off where it grows too long: the connection is closed without an
 * answer. A body that nobody reads is not counted. Of several limits the first counts; the body
 * parsers have limits of their own, for bodies as they are once inflated.
 *
 * <pre>{@code
 * app.use("/upload", BodyLimit.of("20mb"));
 * app.use(BodyLimit.of("1mb"));
 * }</pre>
 */
public final class BodyLimit implements Middleware {

  private static final Key<Boolean> LIMITED = Key.of(BodyLimit.class.getName(), Boolean.class);

  private final long bytes;

  private BodyLimit(long bytes) {
    this.bytes = bytes;
  }

  /**
   * Limits bodies.
   *
   * @param bytes how many bytes a body may have
   * @return the middleware
   * @throws IllegalArgumentException if it is negative
   */
  public static BodyLimit of(long bytes) {
    return new BodyLimit(ByteSize.bytes("body limit", bytes));
  }

  /**
   * Limits bodies.
   *
   * @param size a size such as {@code 500kb} or {@code 1.5mb}, by powers of 1024
   * @return the middleware
   * @throws IllegalArgumentException if it is none
   */
  public static BodyLimit of(String size) {
    return new BodyLimit(ByteSize.bytes("body limit", size));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(LIMITED) == null) {
      req.attr(LIMITED, true);
      if (ContentLength.parse(req.get("Content-Length")) > bytes) {
        throw new HttpError(413, "Payload Too Large");
      }
      req.bodyLimit(bytes);
    }
    next.run();
  }
}
