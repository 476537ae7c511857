package dev.percolate.http;

/**
 * Says that what came over a WebSocket breaks its protocol or a limit, and by which code the
 * connection is to be closed (RFC 6455 section 7.1.7). It carries no stack trace, since clients can
 * cause it at will.
 */
public final class WebSocketException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * Creates an exception.
   *
   * @param code the code that the connection is closed by, of {@link CloseCode}
   * @param message what is wrong, for the other side: ASCII of 123 characters at most
   */
  public WebSocketException(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Returns the code that the connection is closed by. */
  public int code() {
    return code;
  }

  /** Returns what is wrong. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
