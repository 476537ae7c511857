package dev.percolate.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Creates the errors of request bodies, with the types and fields that are the same for all
 * readers.
 *
 * <p>What a client has named is in a message in printable characters only, and 40 of them at most.
 */
public final class BodyErrors {

  private static final int SHOWN = 40;

  private BodyErrors() {}

  /**
   * Creates the error 413 of a body beyond a limit.
   *
   * @param limit the limit, in bytes
   */
  public static HttpError tooLarge(long limit) {
    return new HttpError(413, "request entity too large", "entity.too.large", null)
        .with("limit", limit);
  }

  /**
   * Creates the error 413 of a body that is announced to be longer than a limit.
   *
   * @param limit the limit, in bytes
   * @param length how many are announced
   */
  public static HttpError tooLarge(long limit, long length) {
    return tooLarge(limit).with("length", length).with("expected", length);
  }

  /**
   * Creates the error 400 of a body whose client has gone.
   *
   * @param cause what reading it threw
   * @param received how many bytes came
   * @param length how many were announced; negative if none were
   */
  public static HttpError aborted(Throwable cause, long received, long length) {
    return new HttpError(400, "request aborted", "request.aborted", cause)
        .with("code", "ECONNABORTED")
        .with("received", received)
        .with("expected", length < 0 ? null : length)
        .with("length", length < 0 ? null : length);
  }

  /**
   * Creates the error 400 of a body that has another length than announced.
   *
   * @param received how many bytes came
   * @param length how many were announced
   */
  public static HttpError sizeMismatch(long received, long length) {
    String message = "request size did not match content length";
    return new HttpError(400, message, "request.size.invalid", null)
        .with("received", received)
        .with("expected", length)
        .with("length", length);
  }

  /**
   * Creates the error 415 of a charset that is not known.
   *
   * @param charset its name, as received
   */
  public static HttpError charset(String charset) {
    String message = "unsupported charset \"" + shown(charset.toUpperCase(Locale.ROOT)) + '"';
    return new HttpError(415, message, "charset.unsupported", null).with("charset", charset);
  }

  /**
   * Creates the error 415 of a content encoding that is not known.
   *
   * @param encoding its name
   */
  public static HttpError encoding(String encoding) {
    String message = "unsupported content encoding \"" + shown(encoding) + '"';
    return new HttpError(415, message, "encoding.unsupported", null).with("encoding", encoding);
  }

  /**
   * Creates the error 415 of a content encoding where none is allowed.
   *
   * @param encoding its name
   */
  public static HttpError encodingOff(String encoding) {
    return new HttpError(415, "content encoding unsupported", "encoding.unsupported", null)
        .with("charset", encoding)
        .with("encoding", encoding);
  }

  /**
   * Creates the error 400, without a type, of a body that cannot be decoded.
   *
   * @param message what is wrong
   * @param cause why; null if nothing was thrown
   */
  public static HttpError undecodable(@Nullable String message, @Nullable Throwable cause) {
    return new HttpError(400, message, null, cause);
  }

  /**
   * Creates the error 400 of a body that cannot be parsed.
   *
   * @param message what is wrong
   * @param text the body
   * @param cause why; null if nothing was thrown
   */
  public static HttpError unparsable(
      @Nullable String message, String text, @Nullable Throwable cause) {
    return new HttpError(400, message, "entity.parse.failed", cause).with("body", text);
  }

  /** Creates the error 503 of a body that found no room in memory; it has no stack trace. */
  public static HttpError noRoom() {
    return new NoRoom();
  }

  /** Tells whether an error is that of {@link #noRoom}. */
  public static boolean isNoRoom(Throwable error) {
    return error instanceof NoRoom;
  }

  private static String shown(String name) {
    return LogText.escape(name.length() > SHOWN ? name.substring(0, SHOWN) : name);
  }

  private static final class NoRoom extends HttpError {

    private static final long serialVersionUID = 1L;

    NoRoom() {
      super(503, "no room in memory for the body", "memory.unavailable", null);
    }

    /** Keeps no stack: a crowd causes many, and there is nothing in it to find. */
    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
