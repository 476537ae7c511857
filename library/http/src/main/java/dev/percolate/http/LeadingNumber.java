package dev.percolate.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the number at the start of a text. */
final class LeadingNumber {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");

  private LeadingNumber() {}

  /**
   * Returns the leading decimal number, with optional sign, fraction and exponent; NaN if absent.
   */
  static double parse(@Nullable String text) {
    if (text == null) {
      return Double.NaN;
    }
    Matcher number = NUMBER.matcher(text).region(skipSpace(text), text.length());
    return number.lookingAt() ? Double.parseDouble(number.group()) : Double.NaN;
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

  private static int skipSpace(String text) {
    int i = 0;
    while (i < text.length() && ListText.isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }
}
