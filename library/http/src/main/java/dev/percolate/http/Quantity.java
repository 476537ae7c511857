package dev.percolate.http;

/** Checks sizes and times in options. */
final class Quantity {
  private Quantity() {}

  /**
   * Returns the product of a number and a unit, rounded down.
   *
   * @param number the number: digits, with an optional fraction
   * @param unit the unit
   */
  static long whole(String option, String text, String number, double unit) {
    double amount = Double.parseDouble(number) * unit;
    if (amount >= Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          option + " must be at most 9223372036854775807, was \"" + text + "\"");
    }
    boolean plain = unit == 1 && number.indexOf('.') < 0;
    return plain ? Long.parseLong(number) : (long) amount; // a double has only 53 bits
  }

  /** Returns an amount if it is not negative. */
  static long notNegative(String option, long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(option + " must be at least 0, was " + amount);
    }
    return amount;
  }
}
