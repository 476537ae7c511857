package dev.percolate.http;

/** Checks sizes and times in options. */
public final class Quantity {
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

  /**
   * Returns the value of an option if it is large enough.
   *
   * @param option the name of the option
   * @param least the minimum
   * @param value the value
   * @return the value
   * @throws IllegalArgumentException if the value is less than the minimum
   */
  public static long atLeast(String option, long least, long value) {
    if (value < least) {
      throw new IllegalArgumentException(option + " must be at least " + least + ", was " + value);
    }
    return value;
  }

  /**
   * Returns the value of an option if it is large enough.
   *
   * @param option the name of the option
   * @param least the minimum
   * @param value the value
   * @return the value
   * @throws IllegalArgumentException if the value is less than the minimum
   */
  public static int atLeast(String option, int least, int value) {
    return (int) atLeast(option, (long) least, value);
  }
}
