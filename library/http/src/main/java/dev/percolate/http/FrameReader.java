package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a WebSocket (RFC 6455 section 5) from chunks that may end anywhere, and
 * rejects invalid ones.
 *
 * <p>It does not buffer messages: data is unmasked and passed on as it arrives. The length of a
 * frame is checked before its payload arrives. Uncompressed text is checked for UTF-8. After an
 * exception or a close frame, nothing more is read. Use a reader on one thread at a time.
 *
 * <pre>
 *   FIRST --> SECOND --> LENGTH --> KEY --> PAYLOAD --> FIRST
 *               |                    ^
 *               +--short-------------+     LENGTH and KEY are optional
 * </pre>
 */
public final class FrameReader {

  /** A piece is copied if its array has more than this and than its own size in addition. */
  private static final int MOST_UNUSED = 512;

  private static final int CONTINUATION = 0;
  private static final int CONTROL = 8;
  private static final int MOST_OF_CONTROL = 125;

  /** The maximum number of consecutive empty frames, which a client could send forever. */
  private static final int MOST_EMPTY = 1000;

  private final boolean masked;
  private final boolean compression;
  private final long maxFrame;
  private final long maxMessage;
  private final Utf8Check utf8 = new Utf8Check();

  private Stage stage = Stage.FIRST;
  private boolean last;
  private int opcode;
  private long left;
  private int missing;
  private boolean length16;
  private int key;
  private int turned;
  private byte @Nullable [] control;

  private boolean inMessage;
  private boolean text;
  private boolean compressed;
  private long length;
  private int empty;

  /** The part of a frame that the next byte belongs to. */
  private enum Stage {
    FIRST,
    SECOND,
    LENGTH,
    KEY,
    PAYLOAD,
    OVER
  }

  /** Receives messages and control frames in order. */
  public interface Listener {

    /**
     * Called when a message begins.
     *
     * @param text true for text in UTF-8, false for binary data
     * @param compressed whether the message is compressed (RFC 7692)
     */
    void begin(boolean text, boolean compressed);

    /**
     * Called for each chunk of a message.
     *
     * @param piece the chunk, possibly empty; owned by the listener
     * @param last whether this is the last chunk of the message
     */
    void data(ByteBuffer piece, boolean last);

    /**
     * Called for a ping. The listener must send a pong with the same payload.
     *
     * @param payload the payload of the ping
     */
    void ping(byte[] payload);

    /**
     * Called for a pong.
     *
     * @param payload the payload of the pong
     */
    void pong(byte[] payload);

    /**
     * Called when the peer closes the WebSocket.
     *
     * @param code the code; {@link CloseCode#NONE} if the peer sent none
     * @param reason the reason, possibly empty
     */
    void close(int code, String reason);

    /** Returns true to continue reading; false to leave the remaining bytes in the buffer. */
    default boolean takesMore() {
      return true;
    }
  }

  /**
   * Creates a reader.
   *
   * @param masked true if frames must be masked, as those of clients; false if they must not be
   * @param compression whether messages may be compressed
   * @param maxFrame the maximum payload of a frame, in bytes
   * @param maxMessage the maximum size of a message, in bytes. A compressed message may be slightly
   *     longer, since the limit applies to its content
   */
  public FrameReader(boolean masked, boolean compression, long maxFrame, long maxMessage) {
    this.masked = masked;
    this.compression = compression;
    this.maxFrame = maxFrame;
    this.maxMessage = maxMessage;
  }

  /**
   * Returns true if nothing more is read, because the peer closed the WebSocket or violated the
   * protocol.
   */
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  /**
   * Reads received bytes.
   *
   * @param bytes the bytes; the reader may change them, and passes parts of them to the listener
   * @param to the listener
   * @throws WebSocketException if they violate the protocol or exceed a limit
   */
  public void read(ByteBuffer bytes, Listener to) throws WebSocketException {
    int start = bytes.position();
    boolean copied = bytes.isReadOnly();
    ByteBuffer in = copied ? copy(bytes) : bytes;
    try {
      while (stage != Stage.OVER && (in.hasRemaining() || isEmptyPayload()) && to.takesMore()) {
        step(in, to);
      }
    } catch (WebSocketException e) {
      stage = Stage.OVER;
      throw e;
    } finally {
      bytes.position(copied ? start + in.position() : in.position());
    }
  }

  private boolean isEmptyPayload() {
    return stage == Stage.PAYLOAD && left == 0;
  }

  private void step(ByteBuffer in, Listener to) throws WebSocketException {
    switch (stage) {
      case FIRST -> first(in.get() & 0xFF);
      case SECOND -> second(in.get() & 0xFF);
      case LENGTH -> {
        left = (left << 8) | (in.get() & 0xFF);
        if (--missing == 0) {
          checkWritten();
          announced();
        }
      }
      case KEY -> {
        key = (key << 8) | (in.get() & 0xFF);
        if (--missing == 0) {
          stage = Stage.PAYLOAD;
        }
      }
      case PAYLOAD -> payload(in, to);
      case OVER -> {}
    }
  }

  private void first(int value) throws WebSocketException {
    last = (value & 0x80) != 0;
    opcode = value & 0x0F;
    boolean first = (value & 0x40) != 0;
    if ((value & 0x30) != 0 || (first && !mayBeCompressed())) {
      throw wrong("a reserved bit is set");
    }
    if (opcode > 10 || (opcode > 2 && opcode < CONTROL)) {
      throw wrong("unknown opcode");
    }
    if (opcode >= CONTROL) {
      if (!last) {
        throw wrong("fragmented control frame");
      }
    } else if ((opcode == CONTINUATION) != inMessage) {
      throw wrong(
          inMessage ? "previous message is not complete" : "continuation frame without a message");
    } else if (opcode != CONTINUATION) {
      text = opcode == 1;
      compressed = first;
    }
    stage = Stage.SECOND;
  }

  private boolean mayBeCompressed() {
    return compression && (opcode == 1 || opcode == 2);
  }

  private void second(int value) throws WebSocketException {
    if (((value & 0x80) != 0) != masked) {
      throw wrong(masked ? "frame must be masked" : "frame must not be masked");
    }
    int size = value & 0x7F;
    if (opcode >= CONTROL && size > MOST_OF_CONTROL) {
      throw wrong("control frame exceeds 125 bytes");
    }
    left = size;
    if (size > MOST_OF_CONTROL) {
      left = 0;
      missing = size == 126 ? Short.BYTES : Long.BYTES;
      length16 = size == 126;
      stage = Stage.LENGTH;
    } else {
      announced();
    }
  }

  /** Checks that an extended length is valid and in its shortest form. */
  private void checkWritten() throws WebSocketException {
    if (left < 0) {
      throw wrong("frame length exceeds 63 bits");
    }
    if (left <= (length16 ? MOST_OF_CONTROL : 0xFFFF)) {
      throw wrong("frame length is not in its shortest form");
    }
  }

  /** Checks the length of a frame and prepares for its payload. */
  private void announced() throws WebSocketException {
    if (opcode < CONTROL) {
      if (opcode != CONTINUATION) {
        length = 0;
        empty = 0;
      }
      // A compressed message may be slightly longer than its content.
      long most = compressed ? maxMessage + maxMessage / 1000 + 1024 : maxMessage;
      if (left > (maxFrame == maxMessage ? most : maxFrame)) {
        throw new WebSocketException(
            CloseCode.TOO_BIG, "frame exceeds the byte limit of " + maxFrame);
      }
      if (left > most - length) {
        throw new WebSocketException(
            CloseCode.TOO_BIG, "message exceeds the byte limit of " + maxMessage);
      }
      length += left;
      empty = left == 0 ? empty + 1 : 0;
      if (empty > MOST_EMPTY) {
        throw new WebSocketException(CloseCode.POLICY, "too many empty fragments");
      }
    } else {
      control = new byte[(int) left];
    }
    key = 0;
    turned = 0;
    missing = Integer.BYTES;
    stage = masked ? Stage.KEY : Stage.PAYLOAD;
  }

  private void payload(ByteBuffer in, Listener to) throws WebSocketException {
    int count = (int) Math.min(left, in.remaining());
    ByteBuffer piece = in.slice(in.position(), count);
    in.position(in.position() + count);
    left -= count;
    if (masked) {
      unmask(piece);
    }
    byte[] collected = control;
    if (collected == null) {
      data(piece, to);
    } else {
      piece.get(collected, (int) (collected.length - left - count), count);
      if (left == 0) {
        control = null;
        stage = Stage.FIRST;
        control(collected, to);
      }
    }
  }

  private void data(ByteBuffer piece, Listener to) throws WebSocketException {
    if (!inMessage) {
      inMessage = true;
      utf8.reset();
      to.begin(text, compressed);
    }
    boolean ends = last && left == 0;
    if (text && !compressed) {
      if (!utf8.accepts(piece) || (ends && !utf8.isComplete())) {
        throw new WebSocketException(CloseCode.INVALID_DATA, "text must be UTF-8");
      }
    }
    if (left == 0) {
      stage = Stage.FIRST;
      inMessage = !last;
    }
    to.data(owned(piece), ends);
  }

  /** Copies a piece of a much larger chunk, which a listener that queues it would keep as well. */
  @SuppressWarnings("ByteBufferBackingArray") // only the length of the array is read
  private static ByteBuffer owned(ByteBuffer piece) {
    int size = piece.remaining();
    boolean copies = piece.hasArray() && piece.array().length > 2 * size + MOST_UNUSED;
    return copies ? ByteBuffer.allocate(size).put(piece).flip() : piece;
  }

  private void control(byte[] payload, Listener to) throws WebSocketException {
    switch (opcode) {
      case 9 -> to.ping(payload);
      case 10 -> to.pong(payload);
      default -> {
        int code = CloseCode.code(payload);
        String reason = CloseCode.reason(payload);
        stage = Stage.OVER;
        to.close(code, reason);
      }
    }
  }

  /** Unmasks a chunk in place, eight bytes at a time (section 5.3). */
  private void unmask(ByteBuffer piece) {
    int from = Integer.rotateLeft(key, turned * 8);
    long twice = ((long) from << 32) | (from & 0xFFFFFFFFL);
    ByteBuffer bytes = piece.duplicate().order(ByteOrder.BIG_ENDIAN);
    int at = 0;
    int end = bytes.limit();
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      bytes.putLong(at, bytes.getLong(at) ^ twice);
    }
    for (int shift = 24; at < end; at++, shift -= 8) {
      bytes.put(at, (byte) (bytes.get(at) ^ (from >>> (shift & 31))));
    }
    turned = (turned + end) & 3;
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private static WebSocketException wrong(String what) {
    return new WebSocketException(CloseCode.PROTOCOL_ERROR, what);
  }
}
