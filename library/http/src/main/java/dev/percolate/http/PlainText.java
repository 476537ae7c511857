package dev.percolate.http;

import java.math.BigDecimal;

/** Formats values for headers and log lines. */
public final class PlainText {

  private PlainText() {}

  /**
   * Returns a value as text. Floating-point numbers are formatted as in JavaScript: {@code 2.0} is
   * {@code 2}, and {@code 1e21} is {@code 1e+21}.
   *
   * @param value the value
   */
  public static String of(Object value) {
    boolean decimal = value instanceof Double || value instanceof Float;
    return decimal && Double.isFinite(((Number) value).doubleValue())
        ? number(new BigDecimal(value.toString()))
        : String.valueOf(value);
  }

  /**
   * Returns a number as text, in the format of JavaScript.
   *
   * @param value the number, with all digits to write
   */
  public static String number(BigDecimal value) {
    BigDecimal number = value.stripTrailingZeros();
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
