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
 * Middleware that limits the size of request bodies, before they are decompressed.
 *
 * <p>If {@code Content-Length} exceeds the limit, the request gets 413 and its body is not read. If
 * a chunked body exceeds the limit while it is read, the connection is closed without a response.
 * Bodies that are not read are not counted. If there are several limits, the first applies. Body
 * parsers have their own limits, for decompressed bodies.
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
   * Creates a limit in bytes.
   *
   * @param bytes the maximum size of a body
   * @return the middleware
   * @throws IllegalArgumentException if it is negative
   */
  public static BodyLimit of(long bytes) {
    return new BodyLimit(ByteSize.bytes("body limit", bytes));
  }

  /**
   * Creates a limit from a size with a unit.
   *
   * @param size a size such as {@code 500kb} or {@code 1.5mb}, where 1 kb is 1024 bytes
   * @return the middleware
   * @throws IllegalArgumentException if the size is invalid
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
