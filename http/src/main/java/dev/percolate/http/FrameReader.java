package dev.percolate.http;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a WebSocket (RFC 6455 section 5) as they come, cut anywhere, and refuses what
 * is none.
 *
 * <p>It keeps nothing of messages, only where it stands: their pieces go on as they come, unmasked.
 * Lengths are checked when they are announced. Text that is not compressed is checked for UTF-8.
 * Behind an exception, or a frame that closes, nothing more is read. Used by one thread at a time.
 *
 * <pre>
 *   FIRST --> SECOND --> LENGTH --> KEY --> PAYLOAD --> FIRST
 *               |                    ^
 *               +--short-------------+     LENGTH and KEY only where there are some
 * </pre>
 */
public final class FrameReader {

  private static final int CONTINUATION = 0;
  private static final int CONTROL = 8;
  private static final int MOST_OF_CONTROL = 125;

  /** How many frames without content may follow one another: they would go on for ever. */
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

  /** What the next byte belongs to. */
  private enum Stage {
    FIRST,
    SECOND,
    LENGTH,
    KEY,
    PAYLOAD,
    OVER
  }

  /** Takes what has been read, in its order. */
  public interface Listener {

    /**
     * Notes that a message begins.
     *
     * @param text whether it is text, in UTF-8
     * @param compressed whether its pieces are compressed (RFC 7692)
     */
    void begin(boolean text, boolean compressed);

    /**
     * Takes a piece of the message.
     *
     * @param piece the piece, perhaps empty; it belongs to the listener
     * @param last whether the message ends with it
     */
    void data(ByteBuffer piece, boolean last);

    /**
     * Takes a ping, which is to be answered by a pong of the same content.
     *
     * @param payload its content
     */
    void ping(byte[] payload);

    /**
     * Takes a pong.
     *
     * @param payload its content
     */
    void pong(byte[] payload);

    /**
     * Notes that the other side closes.
     *
     * @param code its code; {@link CloseCode#NONE} if it gives none
     * @param reason its text, perhaps empty
     */
    void close(int code, String reason);

    /** Tells whether reading goes on; if not, the rest of the bytes is left as it is. */
    default boolean takesMore() {
      return true;
    }
  }

  /**
   * Creates a reader.
   *
   * @param masked whether frames have to be masked, as those of clients, or must not be
   * @param compression whether messages may be compressed
   * @param maxFrame the most bytes of one frame
   * @param maxMessage the most bytes of all frames of one message
   */
  public FrameReader(boolean masked, boolean compression, long maxFrame, long maxMessage) {
    this.masked = masked;
    this.compression = compression;
    this.maxFrame = maxFrame;
    this.maxMessage = maxMessage;
  }

  /** Tells whether nothing more is read: the other side has closed, or broken the protocol. */
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  /**
   * Reads bytes.
   *
   * @param bytes what has come; the reader may change it, and it belongs to the listener.
   * @param to takes what is in them
   * @throws WebSocketException if they break the protocol, or a limit
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
      throw wrong("an unknown opcode");
    }
    if (opcode >= CONTROL) {
      if (!last) {
        throw wrong("a control frame in fragments");
      }
    } else if ((opcode == CONTINUATION) != inMessage) {
      throw wrong(inMessage ? "a message within another" : "a continuation of nothing");
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
      throw wrong(masked ? "a frame that is not masked" : "a masked frame");
    }
    int size = value & 0x7F;
    if (opcode >= CONTROL && size > MOST_OF_CONTROL) {
      throw wrong("a control frame of more than 125 bytes");
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

  /** Checks that a length is written as short as can be, and is one. */
  private void checkWritten() throws WebSocketException {
    if (left < 0) {
      throw wrong("a length of more than 63 bits");
    }
    if (left <= (length16 ? MOST_OF_CONTROL : 0xFFFF)) {
      throw wrong("a length that is written too long");
    }
  }

  /** Checks the length of a frame, and begins its payload. */
  private void announced() throws WebSocketException {
    if (opcode < CONTROL) {
      if (opcode != CONTINUATION) {
        length = 0;
        empty = 0;
      }
      if (left > maxFrame) {
        throw new WebSocketException(CloseCode.TOO_BIG, "a frame of more than " + maxFrame);
      }
      if (left > maxMessage - length) {
        throw new WebSocketException(CloseCode.TOO_BIG, "a message of more than " + maxMessage);
      }
      length += left;
      empty = left == 0 ? empty + 1 : 0;
      if (empty > MOST_EMPTY) {
        throw new WebSocketException(CloseCode.POLICY, "too many fragments without content");
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
        throw new WebSocketException(CloseCode.INVALID_DATA, "a text that is no UTF-8");
      }
    }
    if (left == 0) {
      stage = Stage.FIRST;
      inMessage = !last;
    }
    to.data(piece, ends);
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

  /** Takes the mask off a piece in its place, eight bytes at once (section 5.3). */
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
