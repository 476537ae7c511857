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
}
