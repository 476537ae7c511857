package dev.percolate.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Reads numbers as doubles, and prints doubles as ECMAScript does (Number::toString). */
final class NumberText {

  /** From here on not every whole number is a double. */
  private static final double EXACT = 0x1p53;

  /** Whole numbers of this many digits are below 2<sup>53</sup>. */
  private static final int EXACT_DIGITS = 15;

  /** Two decimals of this many digits are never the same double (but near zero). */
  private static final int UNIQUE_DIGITS = 15;

  private static final int MOST_DIGITS = 17;

  /** Before JDK 19 some texts of doubles were longer than need be, or not the nearest. */
  private static final boolean SHORTEST = Runtime.version().feature() >= 19;

  private NumberText() {}

  /**
   * Reads a number of well-formed JSON.
   *
   * @param text its text
   * @param whole whether there is neither fraction nor exponent
   */
  static Number read(String text, boolean whole) {
    if (whole && text.length() <= EXACT_DIGITS) {
      return wholeNumber(Long.parseLong(text));
    }
    double value = Double.parseDouble(text);
    if (Math.abs(value) <= EXACT && value == Math.rint(value)) {
      return wholeNumber((long) value);
    }
    return value;
  }

  /** Appends a double: the shortest digits that read as the same, {@code null} if not finite. */
  static void append(StringBuilder out, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      out.append("null");
    } else if (Math.abs(value) <= EXACT && value == Math.rint(value)) {
      out.append((long) value);
    } else {
      if (value < 0) {
        out.append('-');
      }
      layOut(out, shortest(Math.abs(value)));
    }
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

  /** Tries more and more digits; the text of a length may lie on either side of the value. */
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

  private static void layOut(StringBuilder out, BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    String digits = stripped.unscaledValue().toString();
    int point = digits.length() - stripped.scale();
    if (point > 0 && point <= 21) {
      if (digits.length() <= point) {
        out.append(digits).append("0".repeat(point - digits.length()));
      } else {
        out.append(digits, 0, point).append('.').append(digits, point, digits.length());
      }
    } else if (point <= 0 && point > -6) {
      out.append("0.").append("0".repeat(-point)).append(digits);
    } else {
      out.append(digits.charAt(0));
      if (digits.length() > 1) {
        out.append('.').append(digits, 1, digits.length());
      }
      out.append(point > 0 ? "e+" : "e").append(point - 1);
    }
  }
}
