package dev.percolate.parsers;

import java.io.IOException;
import java.util.Arrays;

/**
 * A prefix code of brotli (RFC 7932 section 3). Reads its description, then symbols. Meta-blocks
 * reuse the object, since a few bits can describe a large code.
 */
final class BrotliCode {

  private static final int LONGEST = 15;

  /** The longest code that one table lookup decodes, in bits. */
  private static final int FAST = 8;

  /** The number of symbols in the code for lengths: 0 to 15, and two kinds of repetition. */
  private static final int LENGTHS = 18;

  private static final int REPEAT_PREVIOUS = 16;

  /** The order in which a stream stores the lengths of the code for lengths. */
  private static final byte[] LENGTH_ORDER = {
    1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15
  };

  /** The maximum number of bits of a code for a length. */
  private static final int LONGEST_OF_LENGTHS = 5;

  /** The number of bits of each of these codes, and its value, by the next four bits. */
  private static final byte[] LENGTH_BITS = {2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4};

  private static final byte[] LENGTH_VALUES = {0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5};

  /** The length of the code of each symbol; 0 if it has none. */
  private final byte[] lengths;

  /** Symbols in the order of their codes. */
  private final short[] symbols;

  /** Symbol and length of the code that the next bits begin with; 0 if it is longer. */
  private final short[] fast = new short[1 << FAST];

  /** The number of codes of each length; the next code and the next index of each length. */
  private final int[] counts = new int[LONGEST + 1];

  private final int[] codes = new int[LONGEST + 1];
  private final int[] indices = new int[LONGEST + 1];

  /** The symbol of a code of no bits; negative if symbols have bits. */
  private int only;

  /**
   * Creates a code that has not been read.
   *
   * @param most the greatest number of symbols, at most 2,047
   */
  BrotliCode(int most) {
    this.lengths = new byte[most];
    this.symbols = new short[most];
  }

  /**
   * Reads the description of the code.
   *
   * @param size the number of symbols
   */
  void describe(int size, BrotliInput in) throws IOException {
    Arrays.fill(lengths, 0, size, (byte) 0);
    only = -1;
    int kind = in.read(2);
    if (kind == 1) {
      describeFew(size, in);
    } else {
      describeLengths(kind, size, in);
    }
  }

  /** Reads one symbol. */
  int read(BrotliInput in) throws IOException {
    if (only >= 0) {
      return only;
    }
    int found = fast[in.peek(FAST)];
    if (found == 0) {
      return readLong(in);
    }
    in.skip(found & LONGEST);
    return found >> 4;
  }

  private int readLong(BrotliInput in) throws IOException {
    int bits = in.peek(LONGEST);
    int code = 0;
    int first = 0;
    int index = 0;
    for (int length = 1; length <= LONGEST; length++) {
      code |= bits & 1;
      bits >>= 1;
      int ofLength = counts[length];
      if (code - first < ofLength) {
        in.skip(length);
        return symbols[index + code - first];
      }
      index += ofLength;
      first = (first + ofLength) << 1;
      code <<= 1;
    }
    throw new IOException("incorrect prefix code");
  }

  /** Reads up to four symbols whose lengths follow from their number (section 3.4). */
  private void describeFew(int size, BrotliInput in) throws IOException {
    int number = 1 + in.read(2);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    int[] few = new int[number];
    for (int i = 0; i < number; i++) {
      few[i] = in.read(bits);
      if (few[i] >= size) {
        throw new IOException("incorrect symbol");
      }
      for (int before = 0; before < i; before++) {
        if (few[before] == few[i]) {
          throw new IOException("repeated symbol");
        }
      }
    }
    boolean even = number == 2 || (number == 4 && !in.readFlag());
    for (int i = 0; i < number; i++) {
      lengths[few[i]] = (byte) (even ? number / 2 : Math.min(i + 1, number - 1));
    }
    if (number == 1) {
      only = few[0];
    } else {
      assign(size);
    }
  }

  /** Reads the length of each symbol, by a code of lengths (section 3.5). */
  private void describeLengths(int skipped, int size, BrotliInput in) throws IOException {
    describeLengthCode(skipped, in);
    int space = 1 << LONGEST;
    int symbol = 0;
    int previous = 8;
    int repeated = 0;
    int repeats = 0;
    while (space > 0 && symbol < size) {
      int found = fast[in.peek(LONGEST_OF_LENGTHS)];
      in.skip(found & LONGEST);
      int length = found >> 4;
      if (length < REPEAT_PREVIOUS) {
        repeats = 0;
        lengths[symbol++] = (byte) length;
        if (length > 0) {
          previous = length;
          space -= 1 << (LONGEST - length);
        }
        continue;
      }
      int bits = length - REPEAT_PREVIOUS + 2;
      int value = length == REPEAT_PREVIOUS ? previous : 0;
      if (repeated != value) {
        repeats = 0;
        repeated = value;
      }
      // A repetition right after one of the same length multiplies it.
      int before = repeats;
      repeats = (before > 0 ? (before - 2) << bits : 0) + in.read(bits) + 3;
      int added = repeats - before;
      if (added > size - symbol) {
        throw new IOException("more lengths than symbols");
      }
      Arrays.fill(lengths, symbol, symbol + added, (byte) value);
      symbol += added;
      if (value > 0) {
        space -= added << (LONGEST - value);
      }
    }
    if (space != 0) {
      throw new IOException("incorrect prefix code");
    }
    assign(symbol);
  }

  /** Reads the code for lengths into the table of short codes, which contains all of its codes. */
  private void describeLengthCode(int skipped, BrotliInput in) throws IOException {
    byte[] own = new byte[LENGTHS];
    int space = 1 << LONGEST_OF_LENGTHS;
    int number = 0;
    int last = 0;
    for (int i = skipped; i < LENGTHS && space > 0; i++) {
      int next = in.peek(4);
      in.skip(LENGTH_BITS[next]);
      int length = LENGTH_VALUES[next];
      if (length > 0) {
        last = LENGTH_ORDER[i];
        own[last] = (byte) length;
        space -= 1 << (LONGEST_OF_LENGTHS - length);
        number++;
      }
    }
    if (number == 1) {
      Arrays.fill(fast, 0, 1 << LONGEST_OF_LENGTHS, (short) (last << 4));
    } else if (space != 0) {
      throw new IOException("incorrect prefix code");
    } else {
      assign(own, LENGTHS, 1 << LONGEST_OF_LENGTHS);
    }
  }

  private void assign(int size) {
    assign(lengths, size, fast.length);
  }

  /**
   * Assigns codes by their lengths, shorter codes and lower symbols first.
   *
   * @param size the number of symbols
   * @param filled the number of entries to fill in the table of short codes
   */
  private void assign(byte[] ofSymbols, int size, int filled) {
    Arrays.fill(counts, 0);
    for (int symbol = 0; symbol < size; symbol++) {
      counts[ofSymbols[symbol]]++;
    }
    counts[0] = 0;
    codes[1] = 0;
    indices[1] = 0;
    for (int length = 1; length < LONGEST; length++) {
      codes[length + 1] = (codes[length] + counts[length]) << 1;
      indices[length + 1] = indices[length] + counts[length];
    }
    Arrays.fill(fast, 0, filled, (short) 0);
    for (int symbol = 0; symbol < size; symbol++) {
      int length = ofSymbols[symbol];
      if (length == 0) {
        continue;
      }
      symbols[indices[length]++] = (short) symbol;
      int code = codes[length]++;
      if (length <= FAST) {
        int reversed = Integer.reverse(code) >>> (Integer.SIZE - length);
        for (int i = reversed; i < filled; i += 1 << length) {
          fast[i] = (short) ((symbol << 4) | length);
        }
      }
    }
  }
}
