package dev.percolate.parsers;

import java.io.IOException;

/** Decompresses the compressed meta-blocks of one stream (RFC 7932 sections 4, 5, 7 and 10). */
final class BrotliBlock {

  private static final int LITERALS = 256;
  private static final int COMMANDS = 704;

  /** The distance codes that refer to the last four distances. */
  private static final int SHORT_DISTANCES = 16;

  private static final int MOST_DISTANCES = SHORT_DISTANCES + (15 << 3) + (48 << 3);

  /** Commands below this one repeat the last distance. */
  private static final int FIRST_WITH_DISTANCE = 128;

  private static final int LITERAL_CONTEXTS = 64;
  private static final int DISTANCE_CONTEXTS = 4;

  private static final BrotliLengths INSERTS =
      new BrotliLengths(
          0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24);

  private static final BrotliLengths COPIES =
      new BrotliLengths(
          2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24);

  /** The first code of inserts and of copies, for each 64 commands. */
  private static final byte[] INSERT_CODES = {0, 0, 0, 0, 8, 8, 0, 16, 8, 16, 16};

  private static final byte[] COPY_CODES = {0, 8, 0, 8, 0, 8, 16, 0, 16, 8, 16};

  /** Which of the last four distances a short code refers to, and what is added to it. */
  private static final byte[] SHORT_INDICES = {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};

  private static final byte[] SHORT_OFFSETS = {
    0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3
  };

  private final BrotliInput in;
  private final Bytes out;
  private final int window;
  private final BrotliBlocks literalBlocks;
  private final BrotliBlocks commandBlocks;
  private final BrotliBlocks distanceBlocks;
  private final BrotliCodes literals;
  private final BrotliCodes commands;
  private final BrotliCodes distances;

  /** The context mode of each type of literals. */
  private final int[] modes = new int[256];

  /** The last four distances, the last one first. */
  private final int[] lastDistances = {4, 11, 15, 16};

  private int postfixBits;
  private int directDistances;

  /** The number of bytes of the meta-block that are not decompressed yet. */
  private int left;

  BrotliBlock(BrotliInput in, Bytes out, int window) {
    this.in = in;
    this.out = out;
    this.window = window;
    this.literalBlocks = new BrotliBlocks(in);
    this.commandBlocks = new BrotliBlocks(in);
    this.distanceBlocks = new BrotliBlocks(in);
    this.literals = new BrotliCodes(in, LITERALS, LITERAL_CONTEXTS);
    this.commands = new BrotliCodes(in, COMMANDS, 1);
    this.distances = new BrotliCodes(in, MOST_DISTANCES, DISTANCE_CONTEXTS);
  }

  /** Decompresses the next meta-block. */
  void inflate(int length) throws IOException {
    describe();
    left = length;
    while (left > 0) {
      int command = commands.read(commandBlocks.next(), 0);
      int insert = INSERTS.read(INSERT_CODES[command >> 6] + ((command >> 3) & 7), in);
      int copy = COPIES.read(COPY_CODES[command >> 6] + (command & 7), in);
      take(insert);
      insert(insert);
      if (left > 0) {
        copy(command < FIRST_WITH_DISTANCE ? 0 : readDistanceCode(copy), copy);
      }
    }
  }

  private void describe() throws IOException {
    literalBlocks.describe();
    commandBlocks.describe();
    distanceBlocks.describe();
    postfixBits = in.read(2);
    directDistances = in.read(4) << postfixBits;
    for (int type = 0; type < literalBlocks.types(); type++) {
      modes[type] = in.read(2);
    }
    int literalCodes = literals.describeMap(literalBlocks.types());
    int distanceCodes = distances.describeMap(distanceBlocks.types());
    literals.describe(literalCodes, LITERALS);
    commands.describeOnePerType(commandBlocks.types(), COMMANDS);
    distances.describe(distanceCodes, SHORT_DISTANCES + directDistances + (48 << postfixBits));
  }

  private void take(int length) throws IOException {
    if (length > left) {
      throw new IOException("data exceeds the meta-block");
    }
    left -= length;
  }

  private void insert(int length) throws IOException {
    int last = out.fromEnd(1);
    int before = out.fromEnd(2);
    for (int i = 0; i < length; i++) {
      int type = literalBlocks.next();
      int literal = literals.read(type, BrotliContext.of(modes[type], last, before));
      out.add(literal);
      before = last;
      last = literal;
    }
  }

  private int readDistanceCode(int copy) throws IOException {
    return distances.read(distanceBlocks.next(), Math.min(copy, 5) - 2);
  }

  private void copy(int code, int length) throws IOException {
    int distance = distance(code);
    int greatest = Math.min(window, out.size());
    if (distance > greatest) {
      byte[] word = BrotliDictionary.word(length, distance - greatest - 1);
      take(word.length);
      out.add(word, word.length);
    } else {
      take(length);
      if (code > 0) {
        System.arraycopy(lastDistances, 0, lastDistances, 1, 3);
        lastDistances[0] = distance;
      }
      out.repeat(distance, length);
    }
  }

  private int distance(int code) throws IOException {
    if (code < SHORT_DISTANCES) {
      int distance = lastDistances[SHORT_INDICES[code]] + SHORT_OFFSETS[code];
      if (distance <= 0) {
        throw new IOException("distance before the data");
      }
      return distance;
    }
    int beyond = code - SHORT_DISTANCES - directDistances;
    if (beyond < 0) {
      return code - SHORT_DISTANCES + 1;
    }
    int high = beyond >> postfixBits;
    int low = beyond & ((1 << postfixBits) - 1);
    int bits = 1 + (high >> 1);
    int offset = ((2 + (high & 1)) << bits) - 4 + in.read(bits);
    return (offset << postfixBits) + low + directDistances + 1;
  }
}
