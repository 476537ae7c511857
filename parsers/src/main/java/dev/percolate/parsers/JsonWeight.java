package dev.percolate.parsers;

import java.nio.ByteBuffer;

/**
 * Estimates from the bytes of a JSON text, before it is parsed, what its lists, maps and texts take
 * in memory: from above, as every sign counts that may begin a value, also within texts.
 */
final class JsonWeight {

  /** What one byte of JSON takes at most: a list within a list, of two bytes, has 88. */
  static final long MOST = 48;

  /** The bytes, and their text of two bytes a character. */
  private static final int TEXT = 3;

  private static final int LIST = 88;
  private static final int MAP = 152;
  private static final int VALUE = 56;
  private static final int ENTRY = 96;

  private JsonWeight() {}

  static long of(ByteBuffer body) {
    long weight = (long) TEXT * body.remaining() + VALUE;
    for (int i = body.position(); i < body.limit(); i++) {
      weight +=
          switch (body.get(i)) {
            case '[' -> LIST;
            case '{' -> MAP;
            case ',' -> VALUE;
            case ':' -> ENTRY;
            default -> 0;
          };
    }
    return weight;
  }
}
