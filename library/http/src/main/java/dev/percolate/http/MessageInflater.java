package dev.percolate.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses one WebSocket message (RFC 7692 section 7.2.2) in chunks, up to a limit. Use an
 * instance on one thread at a time.
 */
public final class MessageInflater implements AutoCloseable {

  /** The end of a compressed message, which senders omit. */
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

  private static final int PIECE = 8 << 10;

  private final long most;
  private @Nullable Inflater inflater = MessageCoders.INFLATERS.take();
  private byte[] input = TAIL;
  private int end;
  private boolean last;
  private long length;

  /**
   * Creates a decompressor for one message. The caller must close it.
   *
   * @param most the maximum size of the decompressed message, in bytes
   */
  public MessageInflater(long most) {
    this.most = most;
  }

  /**
   * Decompresses a whole message.
   *
   * @param compressed the payload of its frames
   * @param most the maximum size of the decompressed message, in bytes
   * @throws WebSocketException if the message is larger or the compressed data is invalid
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
   * Sets the next compressed chunk. The previous one must have been read completely.
   *
   * @param piece the chunk
   * @param isLast whether this is the last chunk of the message
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
   * Decompresses as many bytes as fit into a buffer.
   *
   * @param to the buffer
   * @return the number of bytes; 0 if the next chunk is needed or the message has ended
   * @throws WebSocketException if the message is too large or the compressed data is invalid
   */
  public int read(byte[] to) throws WebSocketException {
    Inflater coder = coder();
    try {
      int count = coder.inflate(to, 0, to.length);
      while (count == 0 && coder.finished() && coder.getRemaining() > 0) {
        // A block with the BFINAL bit may be followed by others (section 7.2.3.5).
        int left = coder.getRemaining();
        coder.reset();
        coder.setInput(input, end - left, left);
        count = coder.inflate(to, 0, to.length);
      }
      if (count == 0 && coder.needsDictionary()) {
        throw new WebSocketException(CloseCode.INVALID_DATA, "invalid compressed data");
      }
      length += count;
      if (length > most) {
        throw new WebSocketException(
            CloseCode.TOO_BIG, "message exceeds the byte limit of " + most);
      }
      return count;
    } catch (DataFormatException e) {
      throw new WebSocketException(CloseCode.INVALID_DATA, "invalid compressed data");
    }
  }

  /** Returns true if the last chunk was set and has been read completely. */
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
      throw new IllegalStateException("MessageInflater is closed");
    }
    return known;
  }
}
