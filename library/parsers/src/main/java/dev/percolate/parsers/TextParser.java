package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.MediaType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies as text. {@code req.body()} is a {@link String}, empty for an empty body.
 *
 * <p>It parses {@code text/plain} and has the options of {@link BodyParser} and {@link
 * #defaultCharset}. It supports the common names of Unicode, ISO-8859, Windows, DOS, Macintosh and
 * East Asian charsets. Malformed bytes become U+FFFD. A byte order mark is removed.
 */
@CheckReturnValue
public final class TextParser extends BodyParser<TextParser> {

  private String defaultCharset = "utf-8";

  TextParser() {
    super("text/plain");
  }

  /**
   * Sets the charset of bodies that name none. Default: {@code utf-8}.
   *
   * @param charset the name of a charset; if it is unknown, such bodies get a 415
   */
  public TextParser defaultCharset(String charset) {
    return with(copy -> copy.defaultCharset = charset);
  }

  @Override
  protected String charset(MediaType type) {
    return charset(type, defaultCharset);
  }

  @Override
  protected long weight(ByteBuffer body, boolean exact) {
    return 3L * body.remaining(); // one for the bytes, two for the characters
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    RequestControl.body(req, text);
  }
}
