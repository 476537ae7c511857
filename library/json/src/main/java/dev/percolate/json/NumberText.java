package dev.percolate.json;

import dev.percolate.http.PlainText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads numbers as doubles, and formats doubles like ECMAScript (Number::toString). */
final class NumberText {

  /** Above this, not every integer is a double. */
  private static final double EXACT = 0x1p53;

  /** Integers with at most this many digits are below 2<sup>53</sup>. */
  private static final int EXACT_DIGITS = 15;

  /** Different decimals with at most this many digits are different doubles, except near zero. */
  private static final int UNIQUE_DIGITS = 15;

  private static final int MOST_DIGITS = 17;

  /** Integers with at most this many characters fit into a long. */
  private static final int LONG_DIGITS = 18;

  /** The maximum length of exact numbers, whose cost grows with the square of their digits. */
  private static final int GREATEST_EXACT = 1000;

  /** Longer numbers with a fraction or an exponent are not read as integers. */
  private static final int LONGEST_WHOLE = 40;

  /** Before JDK 19, the text of some doubles was longer than necessary or not the nearest. */
  private static final boolean SHORTEST = Runtime.version().feature() >= 19;

  /** In this range the JDK writes doubles without an exponent, like ECMAScript. */
  private static final double PLAIN_FROM = 1e-3;

  private static final double PLAIN_BELOW = 1e7;

  private static final double[] POWERS = new double[EXACT_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private NumberText() {}

  /**
   * Reads a number of valid JSON.
   *
   * @param text ASCII text that contains the number
   * @param start the index of its first character
   * @param end the index after its last character
   */
  static Number read(byte[] text, int start, int end) {
    boolean negative = text[start] == '-';
    long digits = 0;
    int count = 0;
    int scale = -1;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      byte c = text[i];
      if (c == '.') {
        scale = 0;
      } else if (c > '9' || ++count > EXACT_DIGITS) {
        return ofDouble(
            Double.parseDouble(new String(text, start, end - start, StandardCharsets.ISO_8859_1)));
      } else {
        digits = 10 * digits + c - '0';
        scale += scale < 0 ? 0 : 1;
      }
    }
    long value = negative ? -digits : digits;
    // Both are exact doubles, so their quotient is the nearest double.
    return scale <= 0 ? wholeNumber(value) : ofDouble(value / POWERS[scale]);
  }

  /**
   * Reads a number of valid JSON with all its digits.
   *
   * @param text the text of the number
   * @param whole whether it has neither a fraction nor an exponent
   * @return the number; null if it has too many digits, or would have without an exponent
   */
  static @Nullable Number readExactly(String text, boolean whole) {
    if (text.length() > GREATEST_EXACT) {
      return null;
    }
    if (whole && text.length() <= LONG_DIGITS) {
      return wholeNumber(Long.parseLong(text));
    }
    if (whole) {
      BigInteger value = new BigInteger(text);
      return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }
    return hasLargeExponent(text) ? null : new BigDecimal(text);
  }

  /** Returns true if a number has an exponent beyond the limit of exact numbers. */
  static boolean hasLargeExponent(String text) {
    int exponent = Math.max(text.indexOf('e'), text.indexOf('E'));
    return exponent >= 0 && isBeyond(text, exponent + 1);
  }

  /** Returns true if an exponent exceeds the limit, however many digits it has. */
  private static boolean isBeyond(String text, int start) {
    int size = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        size = Math.min(10 * size + c - '0', GREATEST_EXACT + 1);
      }
    }
    return size > GREATEST_EXACT;
  }

  /**
   * Appends a double: the shortest digits that read as the same value, {@code null} if not finite.
   */
  static void append(JsonText out, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      out.ascii("null");
    } else if (Math.abs(value) <= EXACT && value == Math.rint(value)) {
      out.number((long) value);
    } else if (SHORTEST && Math.abs(value) >= PLAIN_FROM && Math.abs(value) < PLAIN_BELOW) {
      out.ascii(Double.toString(value));
    } else {
      String digits = PlainText.number(shortest(Math.abs(value)));
      out.ascii(value < 0 ? "-" + digits : digits);
    }
  }

  /** Appends a float with its own digits: as a double, 0.1f would be 0.10000000149011612. */
  static void append(JsonText out, float value) {
    append(out, Double.parseDouble(Float.toString(value)));
  }

  private static Number ofDouble(double value) {
    return Math.abs(value) <= EXACT && value == Math.rint(value)
        ? wholeNumber((long) value)
        : (Number) value;
  }

  private static Number wholeNumber(long value) {
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }

  private static BigDecimal shortest(double value) {
    BigDecimal known = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    if (value < Double.MIN_NORMAL) {
      return search(value, 1, known);
    }
    boolean shortest = SHORTEST || known.precision() <= UNIQUE_DIGITS;
    return shortest ? known : search(value, UNIQUE_DIGITS, known);
  }

  /** Tries increasing numbers of digits. The shortest text may be below or above the value. */
  private static BigDecimal search(double value, int fewest, BigDecimal fallback) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = fewest; digits <= MOST_DIGITS; digits++) {
      BigDecimal below = exact.round(new MathContext(digits, RoundingMode.DOWN));
      BigDecimal above = exact.round(new MathContext(digits, RoundingMode.UP));
      boolean belowFits = below.doubleValue() == value;
      boolean aboveFits = above.doubleValue() == value;
      if (belowFits && aboveFits) {
        return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      }
      if (belowFits || aboveFits) {
        return belowFits ? below : above;
      }
    }
    return fallback;
  }

  /**
   * Returns the value of an integer that is written with a fraction or an exponent, as some
   * languages write integral floating-point values. In JSON Schema and JavaScript, 1.0 is 1.
   *
   * @return the integer; null if the value is not an integer, or is too long
   */
  static @Nullable BigInteger readWhole(String number) {
    if (number.length() > LONGEST_WHOLE || !mayBeWhole(number)) {
      return null;
    }
    BigDecimal value;
    try {
      value = new BigDecimal(number);
    } catch (NumberFormatException e) { // an exponent of many digits
      return null;
    }
    if (value.signum() == 0) {
      return BigInteger.ZERO;
    }
    boolean whole = value.scale() >= -LONGEST_WHOLE && value.stripTrailingZeros().scale() <= 0;
    return whole ? value.toBigInteger() : null;
  }

  /** Returns false for most numbers that are not integers, by their last digit. */
  private static boolean mayBeWhole(String number) {
    return number.endsWith("0") || number.indexOf('e') >= 0 || number.indexOf('E') >= 0;
  }
}
