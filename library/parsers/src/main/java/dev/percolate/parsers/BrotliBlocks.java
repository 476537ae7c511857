package dev.percolate.parsers;

import java.io.IOException;

/**
 * The blocks of one category (literals, commands, distances) within a meta-block, each with a type
 * that selects prefix codes (RFC 7932 section 6).
 */
final class BrotliBlocks {

  /** The length of the only block, if there is one type: more than a meta-block has. */
  private static final int ENDLESS = 1 << 24;

  private static final BrotliLengths COUNTS =
      new BrotliLengths(
          1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24);

  private static final int MOST_TYPES = 256;

  private final BrotliInput in;
  private final BrotliCode typeCode = new BrotliCode(MOST_TYPES + 2);
  private final BrotliCode countCode = new BrotliCode(COUNTS.size());
  private int types;
  private int type;
  private int previous;
  private int left;

  BrotliBlocks(BrotliInput in) {
    this.in = in;
  }

  /** Reads the description of the blocks of the next meta-block. */
  void describe() throws IOException {
    types = number(in);
    type = 0;
    previous = 1;
    left = ENDLESS;
    if (types > 1) {
      typeCode.describe(types + 2, in);
      countCode.describe(COUNTS.size(), in);
      left = COUNTS.read(countCode.read(in), in);
    }
  }

  /** Reads a number from 1 to 256 (section 9.2, NBLTYPES and NTREES). */
  static int number(BrotliInput in) throws IOException {
    if (!in.readFlag()) {
      return 1;
    }
    int bits = in.read(3);
    return 1 + (1 << bits) + in.read(bits);
  }

  int types() {
    return types;
  }

  /** Returns the type of the block that the next symbol belongs to, and counts the symbol. */
  int next() throws IOException {
    if (left == 0) {
      begin();
    }
    left--;
    return type;
  }

  private void begin() throws IOException {
    if (types == 1) {
      throw new IOException("block longer than a meta-block");
    }
    int code = typeCode.read(in);
    int following =
        switch (code) {
          case 0 -> previous;
          case 1 -> type + 1 == types ? 0 : type + 1;
          default -> code - 2;
        };
    previous = type;
    type = following;
    left = COUNTS.read(countCode.read(in), in);
  }
}
