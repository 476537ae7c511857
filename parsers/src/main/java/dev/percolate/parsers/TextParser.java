package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.MediaType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies as text: {@code req.body()} is a {@link String}, empty for an empty body.
 *
 * <p>Besides the options of {@link BodyParser} it has {@link #defaultCharset}; its type is {@code
 * text/plain}. It reads Unicode, ISO-8859, Windows, DOS and Macintosh charsets and those of East
 * Asia under their common names. Malformed bytes become U+FFFD; a byte order mark is removed.
 */
@CheckReturnValue
public final class TextParser extends BodyParser<TextParser> {

  private String defaultCharset = "utf-8";

  TextParser() {
    super("text/plain");
  }

  /**
   * Chooses the charset of bodies that name none.
   *
   * @param charset its name; {@code utf-8} by default. Requests get a 415 if there is no such one
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
    return 3L * body.remaining(); // the bytes, and characters of two
  }

  @Override
  protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
    req.body(text);
  }
}
