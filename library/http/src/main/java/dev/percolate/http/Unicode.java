package dev.percolate.http;

/** Decodes UTF-16 and UTF-32 as browsers do, without a leading byte order mark. */
final class Unicode {

  private static final char REPLACEMENT = '\uFFFD';
  private static final char MARK = '\uFEFF';

  /** The number of code units that are examined to detect the byte order. */
  private static final int SAMPLE = 100;

  private Unicode() {}

  static String utf16(byte[] bytes) {
    return utf16(bytes, isBigEndian16(bytes));
  }

  static String utf32(byte[] bytes) {
    return utf32(bytes, isBigEndian32(bytes));
  }

  /** Keeps lone surrogates and ignores an odd last byte. */
  static String utf16(byte[] bytes, boolean bigEndian) {
    char[] text = new char[bytes.length / 2];
    for (int i = 0; i < text.length; i++) {
      int first = bytes[2 * i] & 0xFF;
      int second = bytes[2 * i + 1] & 0xFF;
      text[i] = (char) (bigEndian ? first << 8 | second : second << 8 | first);
    }
    return withoutMark(new String(text));
  }

  /** Keeps surrogates; one to three remaining bytes become one U+FFFD. */
  static String utf32(byte[] bytes, boolean bigEndian) {
    StringBuilder text = new StringBuilder(bytes.length / 4);
    int i = 0;
    for (; i + 4 <= bytes.length; i += 4) {
      int unit = unit32(bytes, i, bigEndian);
      text.appendCodePoint(Character.isValidCodePoint(unit) ? unit : REPLACEMENT);
    }
    if (i < bytes.length) {
      text.append(REPLACEMENT);
    }
    return withoutMark(text.toString());
  }

  private static int unit32(byte[] bytes, int at, boolean bigEndian) {
    int unit = 0;
    for (int k = 0; k < 4; k++) {
      unit = (unit << 8) | (bytes[bigEndian ? at + k : at + 3 - k] & 0xFF);
    }
    return unit;
  }

  private static boolean isBigEndian16(byte[] bytes) {
    int votes = 0;
    int end = Math.min(bytes.length - 1, 2 * SAMPLE);
    for (int i = 0; i < end; i += 2) {
      int first = bytes[i] & 0xFF;
      int second = bytes[i + 1] & 0xFF;
      if (i == 0 && first == 0xFF && second == 0xFE) {
        return false;
      }
      if (i == 0 && first == 0xFE && second == 0xFF) {
        return true;
      }
      if (first == 0 != (second == 0)) {
        votes += first == 0 ? 1 : -1;
      }
    }
    return votes > 0;
  }

  private static boolean isBigEndian32(byte[] bytes) {
    int votes = 0;
    int end = Math.min(bytes.length - 3, 4 * SAMPLE);
    for (int i = 0; i < end; i += 4) {
      int big = unit32(bytes, i, true);
      if (i == 0 && (big == 0xFFFE0000 || big == MARK)) {
        return big == MARK;
      }
      votes += vote32(big) - vote32(unit32(bytes, i, false));
    }
    return votes > 0;
  }

  /**
   * Returns 1 if a code unit is a likely character in a byte order, -1 if it is invalid, else 0.
   */
  private static int vote32(int unit) {
    boolean impossible = unit < 0 || unit > 0x10FFFF;
    boolean likely = unit > 0 && unit <= 0xFFFF;
    return impossible ? -1 : likely ? 1 : 0;
  }

  private static String withoutMark(String text) {
    return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
  }
}
