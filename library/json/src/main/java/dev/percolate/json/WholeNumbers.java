package dev.percolate.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds integers that are written with a fraction or an exponent, as some languages write integral
 * floating-point values. In JSON Schema and JavaScript, 1.0 is 1.
 */
final class WholeNumbers {

  /** Longer numbers are not read as integers. */
  private static final int LONGEST = 40;

  private WholeNumbers() {}

  /**
   * Returns the value of a number with a fraction or an exponent.
   *
   * @return the integer; null if the value is not an integer, or is too long
   */
  static @Nullable BigInteger find(String number) {
    if (number.length() > LONGEST || !mayBeWhole(number)) {
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
    boolean whole = value.scale() >= -LONGEST && value.stripTrailingZeros().scale() <= 0;
    return whole ? value.toBigInteger() : null;
  }

  /** Returns false for most numbers that are not integers, by their last digit. */
  private static boolean mayBeWhole(String number) {
    return number.endsWith("0") || number.indexOf('e') >= 0 || number.indexOf('E') >= 0;
  }
}
