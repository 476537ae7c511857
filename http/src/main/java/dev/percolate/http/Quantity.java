package dev.percolate.http;

/** Checks amounts that options are given, and says by name and value what is wrong with them. */
final class Quantity {
  private Quantity() {}

  /**
   * Returns what a text says, rounded down.
   *
   * @param number the number in the text: digits, perhaps with a fraction
   * @param unit what it is multiplied by
   */
  static long whole(String option, String text, String number, double unit) {
    double amount = Double.parseDouble(number) * unit;
    if (amount >= Long.MAX_VALUE) {
      throw new IllegalArgumentException(option + "(\"" + text + "\"): too large");
    }
    boolean plain = unit == 1 && number.indexOf('.') < 0;
    return plain ? Long.parseLong(number) : (long) amount; // a double has 53 bits only
  }

  /** Returns an amount that is not negative. */
  static long notNegative(String option, long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(option + "(" + amount + "): less than 0");
    }
    return amount;
  }
}
