package dev.percolate.http;

/** Decodes decimal character references in form values. */
final class NumericEntities {
  private NumericEntities() {}

  /** Decodes complete references only. Of a number above U+10FFFF, the low 16 bits count. */
  static String interpret(String text) {
    int reference = text.indexOf("&#");
    if (reference < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int copied = 0;
    while (reference >= 0) {
      int digits = reference + 2;
      int end = Ascii.skipDigits(text, digits);
      if (end > digits && end < text.length() && text.charAt(end) == ';') {
        out.append(text, copied, reference).appendCodePoint(codePoint(text, digits, end));
        copied = end + 1;
      }
      reference = text.indexOf("&#", end);
    }
    return out.append(text, copied, text.length()).toString();
  }

  private static int codePoint(String text, int start, int end) {
    int low = 0;
    int value = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      low = (10 * low + digit) & 0xFFFF;
      value = Math.min(10 * value + digit, Character.MAX_CODE_POINT + 1);
    }
    return value > Character.MAX_CODE_POINT ? low : value;
  }
}
