package dev.percolate.http;

import java.nio.ByteBuffer;

/** Writes the frames of a WebSocket (RFC 6455 section 5.2). */
public final class Frame {

  /** The opcode of what goes on with a message. */
  public static final int CONTINUATION = 0;

  /** The opcode of a text. */
  public static final int TEXT = 1;

  /** The opcode of bytes. */
  public static final int BINARY = 2;

  /** The opcode by which a side closes. */
  public static final int CLOSE = 8;

  /** The opcode of a ping. */
  public static final int PING = 9;

  /** The opcode of a pong. */
  public static final int PONG = 10;

  private static final int LAST = 0x80;
  private static final int COMPRESSED = 0x40;
  private static final int MASKED = 0x80;
  private static final int SHORT = 125;

  private Frame() {}

  /**
   * Writes a frame of a server that is a whole message, or a control frame.
   *
   * @param opcode its opcode
   * @param payload its content
   */
  public static ByteBuffer of(int opcode, byte[] payload) {
    return of(opcode, true, false, payload, 0, payload.length);
  }

  /**
   * Writes a frame of a server.
   *
   * @param opcode its opcode
   * @param last whether its message ends with it
   * @param compressed whether a compressed message begins with it
   * @param payload holds its content
   * @param from where that begins
   * @param length how many bytes it has
   */
  public static ByteBuffer of(
      int opcode, boolean last, boolean compressed, byte[] payload, int from, int length) {
    ByteBuffer frame = ByteBuffer.allocate(headLength(length) + length);
    head(frame, opcode, last, compressed, 0, length);
    return frame.put(payload, from, length).flip();
  }

  /**
   * Writes a frame of a client.
   *
   * @param opcode its opcode
   * @param last whether its message ends with it
   * @param compressed whether a compressed message begins with it
   * @param key what it is masked by
   * @param payload its content
   */
  public static ByteBuffer masked(
      int opcode, boolean last, boolean compressed, int key, byte[] payload) {
    int length = payload.length;
    ByteBuffer frame = ByteBuffer.allocate(headLength(length) + Integer.BYTES + length);
    head(frame, opcode, last, compressed, MASKED, length);
    frame.putInt(key);
    for (int i = 0; i < length; i++) {
      frame.put((byte) (payload[i] ^ (key >>> (24 - 8 * (i & 3)))));
    }
    return frame.flip();
  }

  private static int headLength(int length) {
    return length <= SHORT ? 2 : length <= 0xFFFF ? 4 : 10;
  }

  private static void head(
      ByteBuffer frame, int opcode, boolean last, boolean compressed, int mask, int length) {
    frame.put((byte) (opcode | (last ? LAST : 0) | (compressed ? COMPRESSED : 0)));
    if (length <= SHORT) {
      frame.put((byte) (mask | length));
    } else if (length <= 0xFFFF) {
      frame.put((byte) (mask | 126)).putShort((short) length);
    } else {
      frame.put((byte) (mask | 127)).putLong(length);
    }
  }
}
