package dev.percolate.http;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses one WebSocket message (RFC 7692 section 7.2.1), whole or in chunks. Use an instance on
 * one thread at a time.
 */
public final class MessageDeflater implements AutoCloseable {

  /** The length of the end of a flushed chunk, which the last chunk of a message omits. */
  private static final int TAIL = 4;

  private static final int PIECE = 8 << 10;

  private @Nullable Deflater deflater = MessageCoders.DEFLATERS.take();

  /** Creates a compressor for one message. The caller must close it. */
  public MessageDeflater() {}

  /**
   * Compresses a whole message.
   *
   * @param message the message
   * @return the payload of its frame
   */
  public static byte[] whole(byte[] message) {
    try (MessageDeflater one = new MessageDeflater()) {
      return one.fragment(message, 0, message.length, true);
    }
  }

  /**
   * Compresses a chunk of the message.
   *
   * @param bytes an array that contains the chunk
   * @param from the index of its first byte
   * @param length its number of bytes
   * @param last whether this is the last chunk of the message
   * @return the payload of its frame
   */
  public byte[] fragment(byte[] bytes, int from, int length, boolean last) {
    Deflater coder = deflater;
    if (coder == null) {
      throw new IllegalStateException("MessageDeflater is closed");
    }
    if (length == 0) {
      return last ? new byte[1] : new byte[0]; // an empty block (section 7.2.3.6)
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(length, PIECE) + 64);
    byte[] buffer = new byte[PIECE];
    coder.setInput(bytes, from, length);
    int count;
    do {
      count = coder.deflate(buffer, 0, PIECE, Deflater.SYNC_FLUSH);
      out.write(buffer, 0, count);
    } while (count == PIECE);
    byte[] all = out.toByteArray();
    return last ? Arrays.copyOf(all, all.length - TAIL) : all;
  }

  @Override
  public void close() {
    MessageCoders.DEFLATERS.give(deflater);
    deflater = null;
  }
}
