package dev.percolate.logger;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Turns what tokens and format functions return into text. */
final class LineValue {

  private LineValue() {}

  /** Tells whether a value counts as none: empty text, false, zero, NaN. */
  static boolean isAbsent(Object value) {
    if (value instanceof CharSequence text) {
      return text.length() == 0;
    }
    if (value instanceof BigDecimal number) {
      return number.signum() == 0;
    }
    if (value instanceof BigInteger number) {
      return number.signum() == 0;
    }
    if (value instanceof Number number) {
      return number.doubleValue() == 0 || Double.isNaN(number.doubleValue());
    }
    return value.equals(false);
  }

  /** Writes a value; numbers in the manner of JavaScript, so that 42.0 is {@code 42}. */
  static String text(Object value) {
    return value instanceof Double || value instanceof Float
        ? number(value.toString())
        : value.toString();
  }

  private static String number(String text) {
    if (text.endsWith("N") || text.endsWith("y")) {
      return text; // NaN and both infinities
    }
    BigDecimal number = new BigDecimal(text).stripTrailingZeros();
    int exponent = number.precision() - number.scale() - 1;
    if (number.signum() == 0) {
      return "0";
    }
    if (exponent > -7 && exponent < 21) {
      return number.toPlainString();
    }
    String digits = number.unscaledValue().abs().toString();
    return (number.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e" : "e+")
        + exponent;
  }
}
