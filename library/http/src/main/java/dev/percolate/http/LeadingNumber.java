package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Parses the number at the start of a text. */
final class LeadingNumber {
  private LeadingNumber() {}

  /**
   * Returns the leading decimal number, with optional sign, fraction and exponent; NaN if absent.
   */
  static double parse(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    int start = skipSpace(text);
    int whole = start < text.length() && "+-".indexOf(text.charAt(start)) >= 0 ? start + 1 : start;
    int end = Ascii.skipDigits(text, whole);
    boolean dot = end < text.length() && text.charAt(end) == '.';
    int fraction = dot ? Ascii.skipDigits(text, end + 1) : end;
    boolean digits = end > whole || fraction > end + 1;
    if (!digits) {
      return Double.NaN;
    }
    return Double.parseDouble(text.substring(start, exponentEnd(text, fraction)));
  }

  /**
   * Returns the number of the leading digits, with an optional plus sign, limited to {@link
   * Long#MAX_VALUE}; -1 if there are none.
   */
  static long parseDigits(String text) {
    int sign = skipSpace(text);
    int start = sign < text.length() && text.charAt(sign) == '+' ? sign + 1 : sign;
    int end = Ascii.skipDigits(text, start);
    long value = start == end ? -1 : 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      boolean fits = value <= (Long.MAX_VALUE - digit) / 10;
      value = fits ? 10 * value + digit : Long.MAX_VALUE;
    }
    return value;
  }

  private static int exponentEnd(String text, int from) {
    if (from >= text.length() || (text.charAt(from) != 'e' && text.charAt(from) != 'E')) {
      return from;
    }
    boolean signed = from + 1 < text.length() && "+-".indexOf(text.charAt(from + 1)) >= 0;
    int digits = signed ? from + 2 : from + 1;
    int end = Ascii.skipDigits(text, digits);
    return end > digits ? end : from;
  }

  private static int skipSpace(String text) {
    int i = 0;
    while (i < text.length() && ListText.isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }
}
