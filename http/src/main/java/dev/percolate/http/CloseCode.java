package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The codes by which WebSockets are closed (RFC 6455 section 7.4), and the texts beside them. */
public final class CloseCode {

  /** The conversation is over. */
  public static final int NORMAL = 1000;

  /** The server stops, or has heard nothing for too long; the page is left. */
  public static final int GOING_AWAY = 1001;

  /** What came is no WebSocket protocol. */
  public static final int PROTOCOL_ERROR = 1002;

  /** A kind of message came that is not taken. */
  public static final int UNSUPPORTED = 1003;

  /** The other side gave no code; never sent. */
  public static final int NONE = 1005;

  /** The connection ended without being closed; never sent. */
  public static final int ABNORMAL = 1006;

  /** A text was no UTF-8, or a compressed message no compressed message. */
  public static final int INVALID_DATA = 1007;

  /** The other side may not go on, such as after a log-out. */
  public static final int POLICY = 1008;

  /** A message or frame was too long. */
  public static final int TOO_BIG = 1009;

  /** The server failed. */
  public static final int SERVER_ERROR = 1011;

  /** The other side takes messages too slowly; it may come back later. */
  public static final int TRY_AGAIN = 1013;

  /** How many bytes the text beside a code can have. */
  public static final int MOST_REASON = 123;

  private static final int FIRST_OF_LIBRARIES = 3000;
  private static final int LAST = 4999;

  private CloseCode() {}

  /**
   * Tells whether a code may be sent: those of the standard and its registry but for 1004 to 1006
   * and 1015, and 3000 to 4999.
   *
   * @param code the code
   */
  public static boolean isSendable(int code) {
    boolean registered = code >= NORMAL && code <= 1014 && (code < 1004 || code > ABNORMAL);
    return registered || (code >= FIRST_OF_LIBRARIES && code <= LAST);
  }

  /**
   * Returns the content of a frame that closes.
   *
   * @param code the code; {@link #NONE} for an empty frame
   * @param reason a text, of which as many characters are taken as have room
   * @throws IllegalArgumentException if the code may not be sent
   */
  public static byte[] payload(int code, String reason) {
    if (code == NONE) {
      return new byte[0];
    }
    if (!isSendable(code)) {
      throw new IllegalArgumentException("close(" + code + ", …): not a code that may be sent");
    }
    byte[] text = Utf8.bytes(reason);
    int length = Math.min(text.length, MOST_REASON);
    while (length < text.length && length > 0 && (text[length] & 0xC0) == 0x80) {
      length--; // no half of a character
    }
    byte[] payload = new byte[2 + length];
    payload[0] = (byte) (code >> 8);
    payload[1] = (byte) code;
    System.arraycopy(text, 0, payload, 2, length);
    return payload;
  }

  /**
   * Reads the code of a frame that closes.
   *
   * @param payload its content
   * @return the code; {@link #NONE} if it is empty
   * @throws WebSocketException if it is a single byte, or a code that must not be sent
   */
  static int code(byte[] payload) throws WebSocketException {
    if (payload.length == 0) {
      return NONE;
    }
    int code = payload.length == 1 ? 0 : ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
    if (!isSendable(code)) {
      throw new WebSocketException(PROTOCOL_ERROR, "closed by an invalid code");
    }
    return code;
  }

  /**
   * Reads the text of a frame that closes.
   *
   * @throws WebSocketException if it is no UTF-8
   */
  static String reason(byte[] payload) throws WebSocketException {
    if (payload.length <= 2) {
      return "";
    }
    byte[] text = Arrays.copyOfRange(payload, 2, payload.length);
    Utf8Check check = new Utf8Check();
    if (!check.accepts(java.nio.ByteBuffer.wrap(text)) || !check.isComplete()) {
      throw new WebSocketException(INVALID_DATA, "closed for a reason that is no UTF-8");
    }
    return new String(text, StandardCharsets.UTF_8);
  }
}
