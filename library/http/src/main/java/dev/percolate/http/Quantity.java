package dev.percolate.http;

import java.time.Duration;

/** Checks sizes and times in options. */
public final class Quantity {

  /** The longest time whose nanoseconds fit into a {@code long}: 292 years. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

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

  /**
   * Returns the time of an option if it is long enough.
   *
   * @param option the name of the option
   * @param least the minimum
   * @param time the time
   * @return the time
   * @throws IllegalArgumentException if it is shorter
   */
  public static Duration atLeast(String option, Duration least, Duration time) {
    if (time.compareTo(least) < 0) {
      throw new IllegalArgumentException(option + " must be at least " + least + ", was " + time);
    }
    return time;
  }

  /** Returns the time of an option if it is positive; 292 years if it is longer. */
  public static Duration positive(String option, Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException(option + " must be positive, was " + time);
    }
    return inNanos(time);
  }

  /** Returns the time of an option if it is zero or positive; 292 years if it is longer. */
  public static Duration notNegative(String option, Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(option + " must not be negative, was " + time);
    }
    return inNanos(time);
  }

  /** Shortens times such as {@code ChronoUnit.FOREVER}, which stand for no limit. */
  private static Duration inNanos(Duration time) {
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }
}
