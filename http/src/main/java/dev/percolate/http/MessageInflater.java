package dev.percolate.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Inflates one message of a WebSocket (RFC 7692 section 7.2.2), up to a limit, as much at a time as
 * is asked for. Used by one thread at a time.
 */
public final class MessageInflater implements AutoCloseable {

  /** What messages leave out at their end. */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private static final int PIECE = 8 << 10;

  private final long most;
  private @Nullable Inflater inflater = MessageCoders.INFLATERS.take();
  private byte[] input = TAIL;
  private int end;
  private boolean last;
  private long length;

  /**
   * Creates one for one message; it is to be closed.
   *
   * @param most how many bytes the message may have
   */
  public MessageInflater(long most) {
    this.most = most;
  }

  /**
   * Inflates a whole message.
   *
   * @param compressed what came in its frames
   * @param most how many bytes it may have
   * @throws WebSocketException if it has more, or is not compressed
   */
  public static byte[] whole(byte[] compressed, long most) throws WebSocketException {
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) Math.min(most, PIECE));
    try (MessageInflater one = new MessageInflater(most)) {
      one.input(ByteBuffer.wrap(compressed), true);
      byte[] buffer = new byte[PIECE];
      for (int count = one.read(buffer); count > 0; count = one.read(buffer)) {
        out.write(buffer, 0, count);
      }
    }
    return out.toByteArray();
  }

  /**
   * Takes the next piece; the one before must have been read.
   *
   * @param piece the piece
   * @param isLast whether the message ends with it
   */
  public void input(ByteBuffer piece, boolean isLast) {
    byte[] bytes = new byte[piece.remaining() + (isLast ? TAIL.length : 0)];
    piece.duplicate().get(bytes, 0, piece.remaining());
    if (isLast) {
      System.arraycopy(TAIL, 0, bytes, piece.remaining(), TAIL.length);
    }
    input = bytes;
    end = bytes.length;
    last = isLast;
    coder().setInput(bytes, 0, end);
  }

  /**
   * Inflates as much as has room.
   *
   * @param to takes it
   * @return how many bytes; 0 if another piece is needed, or the message is over
   * @throws WebSocketException if the message has more than it may, or is not compressed
   */
  public int read(byte[] to) throws WebSocketException {
    Inflater coder = coder();
    try {
      int count = coder.inflate(to, 0, to.length);
      while (count == 0 && coder.finished() && coder.getRemaining() > 0) {
        // A block that calls itself the last (section 7.2.3.5): others may follow all the same.
        int left = coder.getRemaining();
        coder.reset();
        coder.setInput(input, end - left, left);
        count = coder.inflate(to, 0, to.length);
      }
      if (count == 0 && coder.needsDictionary()) {
        throw new WebSocketException(CloseCode.INVALID_DATA, "a message that is not compressed");
      }
      length += count;
      if (length > most) {
        throw new WebSocketException(CloseCode.TOO_BIG, "a message of more than " + most);
      }
      return count;
    } catch (DataFormatException e) {
      throw new WebSocketException(CloseCode.INVALID_DATA, "a message that is not compressed");
    }
  }

  /** Tells whether all of the message has been read, once nothing more comes. */
  public boolean isOver() {
    return last && coder().getRemaining() == 0;
  }

  @Override
  public void close() {
    MessageCoders.INFLATERS.give(inflater);
    inflater = null;
    input = TAIL;
  }

  private Inflater coder() {
    Inflater known = inflater;
    if (known == null) {
      throw new IllegalStateException("the message is read already");
    }
    return known;
  }
}
