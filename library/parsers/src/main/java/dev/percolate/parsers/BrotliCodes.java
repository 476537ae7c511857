package dev.percolate.parsers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The prefix codes of one category within a meta-block, and the context map that selects one of
 * them by block type and context (RFC 7932 section 7).
 */
final class BrotliCodes {

  private static final int MOST_CODES = 256;

  /** The greatest number of bits in the length of a run of zeros. */
  private static final int LONGEST_RUN = 16;

  private final BrotliInput in;
  private final int most;
  private final int contexts;
  private final List<BrotliCode> codes = new ArrayList<>();
  private final BrotliCode mapCode = new BrotliCode(MOST_CODES + LONGEST_RUN);
  private byte[] map = {};

  /**
   * Creates codes that have not been read.
   *
   * @param most the greatest number of symbols
   * @param contexts the number of contexts of each block type
   */
  BrotliCodes(BrotliInput in, int most, int contexts) {
    this.in = in;
    this.most = most;
    this.contexts = contexts;
  }

  /** Reads the number of codes and the context map. Returns the number of codes. */
  int describeMap(int types) throws IOException {
    int number = BrotliBlocks.number(in);
    int size = types * contexts;
    if (map.length < size) {
      map = new byte[size];
    }
    Arrays.fill(map, 0, size, (byte) 0);
    if (number > 1) {
      readMap(number, size);
      if (in.readFlag()) {
        moveToFront(size);
      }
    }
    return number;
  }

  /**
   * Reads the codes.
   *
   * @param number the number of codes
   * @param symbols the number of symbols of each code
   */
  void describe(int number, int symbols) throws IOException {
    while (codes.size() < number) {
      codes.add(new BrotliCode(most));
    }
    for (int i = 0; i < number; i++) {
      codes.get(i).describe(symbols, in);
    }
  }

  /** Reads one code for each block type, without a map. */
  void describeOnePerType(int types, int symbols) throws IOException {
    if (map.length < types) {
      map = new byte[types];
    }
    for (int type = 0; type < types; type++) {
      map[type] = (byte) type;
    }
    describe(types, symbols);
  }

  /** Reads a symbol with the code of a block type and a context. */
  int read(int type, int context) throws IOException {
    return codes.get(map[type * contexts + context] & 0xFF).read(in);
  }

  private void readMap(int number, int size) throws IOException {
    int runs = in.readFlag() ? 1 + in.read(4) : 0;
    mapCode.describe(number + runs, in);
    int at = 0;
    while (at < size) {
      int symbol = mapCode.read(in);
      if (symbol == 0) {
        at++;
      } else if (symbol > runs) {
        map[at++] = (byte) (symbol - runs);
      } else {
        at += (1 << symbol) + in.read(symbol);
        if (at > size) {
          throw new IOException("context map too long");
        }
      }
    }
  }

  /** Reverses the move-to-front transform. */
  private void moveToFront(int size) {
    byte[] order = new byte[MOST_CODES];
    for (int i = 0; i < MOST_CODES; i++) {
      order[i] = (byte) i;
    }
    for (int at = 0; at < size; at++) {
      int index = map[at] & 0xFF;
      byte value = order[index];
      System.arraycopy(order, 0, order, 1, index);
      order[0] = value;
      map[at] = value;
    }
  }
}
