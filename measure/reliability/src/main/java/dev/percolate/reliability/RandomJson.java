package dev.percolate.reliability;

import java.util.SplittableRandom;

/**
 * Creates random JSON texts that are the same after parsing and writing, as with {@code
 * JSON.stringify}: without spaces, with only the necessary escapes, and with integers that a double
 * can hold.
 */
final class RandomJson {

  private static final int DEPTH = 5;
  private static final int SHORTEST_OBJECT = 40;
  private static final String LETTERS =
      "The quick brown fox, 1234567890 times; jumps over: {the} [lazy] dog? 'Yes' & <no>! "
          .repeat(30);
  private static final String[] SPECIAL = {
    "", "é", "ß", "漢字", "😀", "\u2028", "\u007f", "/", "\\n", "\\\"", "\\\\", "\\u0007", "\\u001f",
    "\\ud83d"
  };

  private final SplittableRandom random;

  RandomJson(SplittableRandom random) {
    this.random = random;
  }

  /** Returns an array or object of about this length, at least 10, with a random number. */
  String text(int size) {
    StringBuilder out = new StringBuilder(size + 64);
    if (size < SHORTEST_OBJECT) {
      return out.append('[').append(integer(Math.min(size - 2, 15))).append(']').toString();
    }
    out.append("{\"id\":\"").append(Long.toHexString(random.nextLong())).append('"');
    for (int i = 0; out.length() < size - 1; i++) {
      out.append(",\"").append(i).append('-').append(letters(6)).append("\":");
      value(out, size - out.length(), 2);
    }
    return out.append('}').toString();
  }

  private void value(StringBuilder out, int room, int depth) {
    switch (random.nextInt(depth < DEPTH ? 10 : 8)) {
      case 0 -> out.append(random.nextBoolean());
      case 1 -> out.append("null");
      case 2, 3 -> out.append(integer(1 + random.nextInt(15)));
      case 8 -> array(out, room, depth);
      case 9 -> object(out, room, depth);
      default -> string(out, room);
    }
  }

  private void array(StringBuilder out, int room, int depth) {
    int end = out.length() + random.nextInt(Math.max(1, room));
    out.append('[');
    for (int i = random.nextInt(20); i > 0 && out.length() < end; i--) {
      separate(out);
      value(out, end - out.length(), depth + 1);
    }
    out.append(']');
  }

  private void object(StringBuilder out, int room, int depth) {
    int end = out.length() + random.nextInt(Math.max(1, room));
    out.append('{');
    for (int i = random.nextInt(20); i > 0 && out.length() < end; i--) {
      separate(out);
      out.append('"').append(i).append('-').append(letters(8)).append("\":");
      value(out, end - out.length(), depth + 1);
    }
    out.append('}');
  }

  private static void separate(StringBuilder out) {
    char before = out.charAt(out.length() - 1);
    out.append(before == '[' || before == '{' ? "" : ",");
  }

  private void string(StringBuilder out, int room) {
    int most = Math.max(1, Math.min(room, LETTERS.length()) / 2);
    out.append('"').append(letters(most)).append(SPECIAL[random.nextInt(SPECIAL.length)]);
    out.append(letters(most)).append('"');
  }

  private String letters(int most) {
    int length = random.nextInt(most + 1);
    int start = random.nextInt(LETTERS.length() - length + 1);
    return LETTERS.substring(start, start + length);
  }

  /** Returns an integer of this number of digits, without leading zeros, at times with a sign. */
  private String integer(int digits) {
    long least = Math.round(Math.pow(10, digits - 1));
    return (random.nextInt(4) == 0 ? "-" : "") + (least + random.nextLong(9 * least));
  }
}
