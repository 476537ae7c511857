package dev.percolate.parsers;

import java.io.IOException;

/**
 * Consecutive ranges of lengths. A code selects the range, and extra bits select a length in it.
 */
final class BrotliLengths {

  private final int[] starts;
  private final int[] bits;

  /**
   * Creates a table.
   *
   * @param start the first length
   * @param bits the number of extra bits of each code
   */
  BrotliLengths(int start, int... bits) {
    this.bits = bits;
    this.starts = new int[bits.length];
    int next = start;
    for (int code = 0; code < bits.length; code++) {
      starts[code] = next;
      next += 1 << bits[code];
    }
  }

  /** Returns the number of codes. */
  int size() {
    return bits.length;
  }

  /** Reads the extra bits of a code, and returns the length. */
  int read(int code, BrotliInput in) throws IOException {
    return starts[code] + in.read(bits[code]);
  }
}
