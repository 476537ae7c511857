package dev.percolate.parsers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.brotli.dec.BrotliInputStream;

/** Inflates brotli (RFC 7932); what follows the data is ignored. */
final class Brotli {

  /** More than the decoder reads ahead. */
  private static final int PADDING = 32 << 10;

  /** Where the first byte has the size of great windows (RFC 7932 section 9.1). */
  private static final int WINDOW_BITS = 0x0F;

  private static final int WINDOW_BASE = 17;
  private static final int LEAST_WINDOW = 18;
  private static final int GREATEST_WINDOW = 24;

  /** How the decoder says that the data ended before its input did. */
  private static final String LEFT_OVER = "Unused bytes after end";

  private Brotli() {}

  static void inflate(byte[] compressed, Bytes out) throws IOException {
    lowerWindow(compressed, out.limit());
    try {
      copy(compressed, out);
    } catch (IOException e) {
      if (e.getCause() == null || !LEFT_OVER.equals(e.getCause().getMessage())) {
        throw e;
      }
      // The data is whole. Once more, with the end of the input out of the decoder's sight.
      out.clear();
      copy(Arrays.copyOf(compressed, Math.addExact(compressed.length, PADDING)), out);
    }
  }

  /**
   * Lowers the size of the window that the first bits ask for, 16 MiB at most, to what a body
   * within the limit can use. The decoder allocates as much and fills it before it gives any of it.
   * Up to there a smaller window means the same: what lies behind is the dictionary in both.
   */
  private static void lowerWindow(byte[] compressed, long limit) {
    int bits = compressed[0] & WINDOW_BITS;
    int enough = LEAST_WINDOW;
    while (enough < GREATEST_WINDOW && (1L << enough) - Bytes.BLOCK <= limit + Bytes.BLOCK) {
      enough++;
    }
    // 1 and even numbers mean smaller windows, of 2 to the power of 17 at most.
    if (bits > 1 && (bits & 1) == 1 && (bits >> 1) + WINDOW_BASE > enough) {
      int lowered = ((enough - WINDOW_BASE) << 1) | 1;
      compressed[0] = (byte) ((compressed[0] & ~WINDOW_BITS) | lowered);
    }
  }

  private static void copy(byte[] compressed, Bytes out) throws IOException {
    out.addAll(new BrotliInputStream(new ByteArrayInputStream(compressed)));
  }
}
