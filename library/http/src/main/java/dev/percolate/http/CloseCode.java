package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The status codes for closing WebSockets (RFC 6455 section 7.4), and the reasons sent with them.
 */
public final class CloseCode {

  /** The connection has fulfilled its purpose. */
  public static final int NORMAL = 1000;

  /** The server shuts down or has received nothing for too long, or the browser leaves the page. */
  public static final int GOING_AWAY = 1001;

  /** The peer violated the WebSocket protocol. */
  public static final int PROTOCOL_ERROR = 1002;

  /** The peer sent a type of message that is not accepted. */
  public static final int UNSUPPORTED = 1003;

  /** The peer sent no code. Never sent. */
  public static final int NONE = 1005;

  /** The connection ended without a close frame. Never sent. */
  public static final int ABNORMAL = 1006;

  /** A text message was not valid UTF-8, or a compressed message was invalid. */
  public static final int INVALID_DATA = 1007;

  /** The peer is no longer allowed to continue, for example after a logout. */
  public static final int POLICY = 1008;

  /** A message or frame was too large. */
  public static final int TOO_BIG = 1009;

  /** The server had an internal error. */
  public static final int SERVER_ERROR = 1011;

  /** The peer receives messages too slowly; it may reconnect later. */
  public static final int TRY_AGAIN = 1013;

  /** The maximum length of a reason, in bytes. */
  public static final int MAX_REASON_BYTES = 123;

  private static final int FIRST_OF_LIBRARIES = 3000;
  private static final int LAST = 4999;

  private CloseCode() {}

  /**
   * Returns true if a code may be sent: 1000 to 1003, 1007 to 1014, and 3000 to 4999.
   *
   * @param code the code
   */
  public static boolean isSendable(int code) {
    boolean registered = code >= NORMAL && code <= 1014 && (code < 1004 || code > ABNORMAL);
    return registered || (code >= FIRST_OF_LIBRARIES && code <= LAST);
  }

  /**
   * Returns the payload of a close frame.
   *
   * @param code the code; {@link #NONE} for an empty frame
   * @param reason the reason, cut off after as many whole characters as fit into {@link
   *     #MAX_REASON_BYTES}
   * @throws IllegalArgumentException if the code may not be sent
   */
  public static byte[] payload(int code, String reason) {
    if (code == NONE) {
      return new byte[0];
    }
    if (!isSendable(code)) {
      throw new IllegalArgumentException(
          "close code must be 1000 to 1003, 1007 to 1014 or 3000 to 4999, was " + code);
    }
    byte[] text = Utf8.bytes(reason);
    int length = Math.min(text.length, MAX_REASON_BYTES);
    while (length < text.length && length > 0 && (text[length] & 0xC0) == 0x80) {
      length--; // cut between characters
    }
    return ByteBuffer.allocate(2 + length).putShort((short) code).put(text, 0, length).array();
  }

  /**
   * Reads the code of a close frame.
   *
   * @param payload the payload of the frame
   * @return the code; {@link #NONE} if the payload is empty
   * @throws WebSocketException if the payload is one byte, or the code must not be sent
   */
  static int code(byte[] payload) throws WebSocketException {
    if (payload.length == 0) {
      return NONE;
    }
    int code = payload.length == 1 ? 0 : ByteBuffer.wrap(payload).getShort() & 0xFFFF;
    if (!isSendable(code)) {
      throw new WebSocketException(PROTOCOL_ERROR, "invalid close code");
    }
    return code;
  }

  /**
   * Reads the reason of a close frame.
   *
   * @throws WebSocketException if the reason is not valid UTF-8
   */
  static String reason(byte[] payload) throws WebSocketException {
    if (payload.length <= 2) {
      return "";
    }
    byte[] text = Arrays.copyOfRange(payload, 2, payload.length);
    Utf8Check check = new Utf8Check();
    if (!check.accepts(java.nio.ByteBuffer.wrap(text)) || !check.isComplete()) {
      throw new WebSocketException(INVALID_DATA, "close reason must be UTF-8");
    }
    return new String(text, StandardCharsets.UTF_8);
  }
}
