package dev.percolate.http;

import java.nio.ByteBuffer;

/** Writes the frames of a WebSocket (RFC 6455 section 5.2). */
public final class Frame {

  /** The opcode of a frame that continues a message. */
  public static final int CONTINUATION = 0;

  /** The opcode of a text message. */
  public static final int TEXT = 1;

  /** The opcode of a binary message. */
  public static final int BINARY = 2;

  /** The opcode of a close frame. */
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
   * Writes a server's frame that contains a whole message, or a control frame.
   *
   * @param opcode the opcode
   * @param payload the payload
   */
  public static ByteBuffer of(int opcode, byte[] payload) {
    return of(opcode, true, false, payload, 0, payload.length);
  }

  /**
   * Writes a server's frame.
   *
   * @param opcode the opcode
   * @param last whether this is the last frame of its message
   * @param compressed whether this is the first frame of a compressed message
   * @param payload an array that contains the payload
   * @param from the index of its first byte
   * @param length its number of bytes
   */
  public static ByteBuffer of(
      int opcode, boolean last, boolean compressed, byte[] payload, int from, int length) {
    ByteBuffer frame = ByteBuffer.allocate(headLength(length) + length);
    head(frame, opcode, last, compressed, 0, length);
    return frame.put(payload, from, length).flip();
  }

  /**
   * Writes a client's frame.
   *
   * @param opcode the opcode
   * @param last whether this is the last frame of its message
   * @param compressed whether this is the first frame of a compressed message
   * @param key the masking key
   * @param payload the payload
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
