package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.MediaType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies as bytes. {@code req.body()} is a {@code byte[]}, empty for an empty body.
 *
 * <p>It parses {@code application/octet-stream} and has the options of {@link BodyParser}.
 *
 * <pre>{@code
 * app.post("/hooks", BodyParsers.raw().type("application/json"), (req, res) -> {
 *   verify(req.get("X-Signature"), (byte[]) req.body());
 *   res.sendStatus(204);
 * });
 * }</pre>
 */
@CheckReturnValue
public final class RawParser extends BodyParser<RawParser> {

  RawParser() {
    super("application/octet-stream");
  }

  @Override
  protected @Nullable String charset(MediaType type) {
    return null;
  }

  @Override
  protected long weight(ByteBuffer body, boolean exact) {
    return body.remaining();
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    RequestControl.body(req, bytes);
  }
}
