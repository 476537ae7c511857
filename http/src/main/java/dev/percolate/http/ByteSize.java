package dev.percolate.http;

/** Reads sizes such as {@code 100kb}, as the limits of body parsers are written. */
public final class ByteSize {
  private static final String UNITS = "kmgtp";

  private ByteSize() {}

  /**
   * Reads a size.
   *
   * <p>A decimal number followed by {@code kb}, {@code mb}, {@code gb}, {@code tb} or {@code pb} in
   * any letter case, with blanks between them allowed, counts 1024<sup>1</sup> to 1024<sup>5</sup>
   * bytes and is rounded down. Of any other text the leading integer counts, in bytes, and what
   * follows is ignored: {@code 3 bytes} and {@code 3.9} are 3.
   *
   * @param text the size as text
   * @return a whole number of bytes, perhaps negative
   * @throws IllegalArgumentException when the text does not begin with a number
   */
  public static double parse(String text) {
    int sign = !text.isEmpty() && isSign(text.charAt(0)) ? 1 : 0;
    int whole = skipDigits(text, sign);
    int end = whole;
    if (whole > sign && whole < text.length() && text.charAt(whole) == '.') {
      int fraction = skipDigits(text, whole + 1);
      end = fraction > whole + 1 ? fraction : whole;
    }
    int power = whole > sign ? unit(text, end) : 0;
    if (power > 0) {
      return Math.floor(Double.parseDouble(text.substring(0, end)) * Math.pow(1024, power)) + 0.0;
    }
    return leadingInteger(text);
  }

  /** Returns the unit's power of 1024 when it is all that follows, else 0. */
  private static int unit(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) == ' ') {
      i++;
    }
    boolean two =
        i == text.length() - 2 && (text.charAt(i + 1) == 'b' || text.charAt(i + 1) == 'B');
    // Only ASCII letters: lower-casing would also turn the Kelvin sign into a k.
    return two && text.charAt(i) < 0x80
        ? UNITS.indexOf(Character.toLowerCase(text.charAt(i))) + 1
        : 0;
  }

  private static double leadingInteger(String text) {
    int start = 0;
    while (start < text.length() && ListText.isSpace(text.charAt(start))) {
      start++;
    }
    int digits = start < text.length() && isSign(text.charAt(start)) ? start + 1 : start;
    int end = skipDigits(text, digits);
    if (end == digits) {
      throw new IllegalArgumentException("size \"" + LogText.escape(text) + "\" is invalid");
    }
    return Double.parseDouble(text.substring(start, end)) + 0.0;
  }

  private static boolean isSign(char c) {
    return c == '-' || c == '+';
  }

  private static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }
}
