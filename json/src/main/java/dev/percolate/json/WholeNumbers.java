package dev.percolate.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds numbers that are whole although they are written with a fraction or an exponent, as some
 * languages write whole numbers of their floating-point types: to JSON Schema, and to JavaScript,
 * 1.0 is 1.
 */
final class WholeNumbers {

  /** Longer ones are of no type that asks for whole numbers. */
  private static final int LONGEST = 40;

  private WholeNumbers() {}

  /**
   * Returns the value of a number with a fraction or an exponent.
   *
   * @return null if it is not whole, or longer than one that anybody means to be whole
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

  /** Returns false for most numbers that are not whole, by their last digit. */
  private static boolean mayBeWhole(String number) {
    return number.endsWith("0") || number.indexOf('e') >= 0 || number.indexOf('E') >= 0;
  }
}
