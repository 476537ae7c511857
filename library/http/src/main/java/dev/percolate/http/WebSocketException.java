package dev.percolate.http;

/**
 * Thrown if a peer violates the WebSocket protocol or exceeds a limit. It has the code to close the
 * connection with (RFC 6455 section 7.1.7), and no stack trace, since clients can cause it at will.
 */
public final class WebSocketException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * Creates an exception.
   *
   * @param code the code to close the connection with, see {@link CloseCode}
   * @param message the reason that is sent to the peer: at most 123 ASCII characters
   */
  public WebSocketException(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Returns the code to close the connection with. */
  public int code() {
    return code;
  }

  /** Returns the reason that is sent to the peer. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
