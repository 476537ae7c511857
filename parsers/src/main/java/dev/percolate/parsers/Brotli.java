package dev.percolate.parsers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.brotli.dec.BrotliInputStream;

/**
 * Inflates brotli (RFC 7932); what follows the data is ignored.
 *
 * <p>The decoder pulls its input, so the compressed bytes are collected first, and inflated when
 * the body ends, or when more of them have come than a body within the limit needs. So the window
 * is held only while a thread inflates, not while a client is slow.
 */
final class Brotli implements Inflating {

  /** Room for data that does not compress, and for metadata. */
  private static final int SLACK = 64 << 10;

  /** More than the decoder reads ahead. */
  private static final int PADDING = 32 << 10;

  /** Where the first byte has the size of great windows (RFC 7932 section 9.1). */
  private static final int WINDOW_BITS = 0x0F;

  private static final int WINDOW_BASE = 17;
  private static final int LEAST_WINDOW = 18;
  private static final int GREATEST_WINDOW = 24;

  /** How the decoder says that the data ended before its input did. */
  private static final String LEFT_OVER = "Unused bytes after end";

  private final Bytes out;
  private final Bytes compressed = new Bytes(Long.MAX_VALUE, 0);
  private final long most;
  private boolean finished;

  Brotli(Bytes out) {
    this.out = out;
    long limit = Math.max(0, Math.min(out.limit(), Integer.MAX_VALUE));
    this.most = limit + limit / 64 + SLACK;
  }

  @Override
  public void add(ByteBuffer piece) {
    if (finished) {
      return;
    }
    compressed.add(piece);
    if (compressed.size() > most) {
      try {
        inflate();
      } catch (IOException e) {
        throw Failure.tooLarge(out.limit()).with("received", (long) compressed.size());
      }
    }
  }

  @Override
  public void end() {
    if (!finished) {
      try {
        inflate();
      } catch (IOException e) {
        throw Failure.inflating(e.getMessage(), e);
      }
    }
  }

  @Override
  public void close() {}

  private void inflate() throws IOException {
    byte[] input = withSmallWindow(compressed.toArray());
    try {
      inflate(input);
    } catch (IOException e) {
      if (e.getCause() == null || !LEFT_OVER.equals(e.getCause().getMessage())) {
        throw e;
      }
      // The data is whole. Once more, with the end of the input out of the decoder's sight.
      out.clear();
      inflate(Arrays.copyOf(input, Math.addExact(input.length, PADDING)));
    }
    finished = true;
  }

  /**
   * Lowers the size of the window that the first bits ask for, 16 MiB at most, to what a body
   * within the limit can use. The decoder allocates as much and fills it before it gives any of it.
   * Up to there a smaller window means the same: what lies behind is the dictionary in both.
   */
  private byte[] withSmallWindow(byte[] input) {
    int bits = input.length == 0 ? 0 : input[0] & WINDOW_BITS;
    int enough = LEAST_WINDOW;
    while (enough < GREATEST_WINDOW && (1L << enough) - BLOCK <= out.limit() + BLOCK) {
      enough++;
    }
    // 1 and even numbers mean smaller windows, of 2 to the power of 17 at most.
    if (bits > 1 && (bits & 1) == 1 && (bits >> 1) + WINDOW_BASE > enough) {
      input[0] = (byte) ((input[0] & ~WINDOW_BITS) | ((enough - WINDOW_BASE) << 1) | 1);
    }
    return input;
  }

  private void inflate(byte[] input) throws IOException {
    byte[] block = new byte[BLOCK];
    try (InputStream stream = new BrotliInputStream(new ByteArrayInputStream(input))) {
      for (int n = stream.read(block, 0, BLOCK); n > 0; n = stream.read(block, 0, BLOCK)) {
        out.add(block, n);
      }
    }
  }
}
