package dev.percolate.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Creates the errors of request bodies, with the same types and fields for all body parsers.
 *
 * <p>Names that a client has sent are escaped in messages and cut off after 40 characters.
 */
public final class BodyErrors {

  private static final int SHOWN = 40;
  private static final String MEMORY = "memory.unavailable";

  private BodyErrors() {}

  /**
   * Creates the 413 error for a body that is larger than the limit.
   *
   * @param limit the limit, in bytes
   */
  public static HttpError tooLarge(long limit) {
    return new HttpError(413, "request entity too large", "entity.too.large", null)
        .with("limit", limit);
  }

  /**
   * Creates the 413 error for a body whose declared length is above the limit.
   *
   * @param limit the limit, in bytes
   * @param length the declared length, in bytes
   */
  public static HttpError tooLarge(long limit, long length) {
    return tooLarge(limit).with("length", length).with("expected", length);
  }

  /**
   * Creates the 400 error for a body whose client disconnected.
   *
   * @param cause the exception thrown by reading the body
   * @param received the number of bytes received
   * @param length the declared length, in bytes; negative if it is unknown
   */
  public static HttpError aborted(Throwable cause, long received, long length) {
    return new HttpError(400, "request aborted", "request.aborted", cause)
        .with("code", "ECONNABORTED")
        .with("received", received)
        .with("expected", length < 0 ? null : length)
        .with("length", length < 0 ? null : length);
  }

  /**
   * Creates the 400 error for a body that does not have its declared length.
   *
   * @param received the number of bytes received
   * @param length the declared length, in bytes
   */
  public static HttpError sizeMismatch(long received, long length) {
    String message = "request size did not match content length";
    return new HttpError(400, message, "request.size.invalid", null)
        .with("received", received)
        .with("expected", length)
        .with("length", length);
  }

  /**
   * Creates the 415 error for an unknown charset.
   *
   * @param charset its name, as received
   */
  public static HttpError charset(String charset) {
    String message = "unsupported charset \"" + shown(charset.toUpperCase(Locale.ROOT)) + '"';
    return new HttpError(415, message, "charset.unsupported", null).with("charset", charset);
  }

  /**
   * Creates the 415 error for an unknown content encoding.
   *
   * @param encoding its name
   */
  public static HttpError encoding(String encoding) {
    String message = "unsupported content encoding \"" + shown(encoding) + '"';
    return new HttpError(415, message, "encoding.unsupported", null).with("encoding", encoding);
  }

  /**
   * Creates the 415 error for a content encoding where none is allowed.
   *
   * @param encoding its name
   */
  public static HttpError encodingOff(String encoding) {
    return new HttpError(415, "content encoding unsupported", "encoding.unsupported", null)
        .with("charset", encoding)
        .with("encoding", encoding);
  }

  /**
   * Creates the 400 error, without a type, for a body that cannot be decoded.
   *
   * @param message the reason
   * @param cause the cause; null if there is none
   */
  public static HttpError undecodable(@Nullable String message, @Nullable Throwable cause) {
    return new HttpError(400, message, null, cause);
  }

  /**
   * Creates the 400 error for a body that cannot be parsed.
   *
   * @param message the reason
   * @param text the body
   * @param cause the cause; null if there is none
   */
  public static HttpError unparsable(
      @Nullable String message, String text, @Nullable Throwable cause) {
    return new HttpError(400, message, "entity.parse.failed", cause).with("body", text);
  }

  /**
   * Creates the 503 error for a body that exceeds the memory available for bodies. It has no stack
   * trace.
   */
  public static HttpError memoryUnavailable() {
    return HttpError.overload("not enough memory for the body", MEMORY);
  }

  /** Returns true if an error was created by {@link #memoryUnavailable}. */
  public static boolean isMemoryUnavailable(Throwable error) {
    return error instanceof HttpError http && MEMORY.equals(http.type());
  }

  private static String shown(String name) {
    return LogText.escape(name.length() > SHOWN ? name.substring(0, SHOWN) : name);
  }
}
