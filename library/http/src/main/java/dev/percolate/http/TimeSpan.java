package dev.percolate.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses times in options, such as {@code 2 hours}. */
public final class TimeSpan {
  private static final Pattern TIME =
      Pattern.compile("(\\d+(?:\\.\\d+)?|\\.\\d+)(?: *([a-zA-Z]+))?");
  private static final double SECOND = 1000;
  private static final double MINUTE = 60 * SECOND;
  private static final double HOUR = 60 * MINUTE;
  private static final double DAY = 24 * HOUR;
  private static final double YEAR = 365.25 * DAY;

  private TimeSpan() {}

  /**
   * Parses a time: a decimal number without sign, optional spaces, and a unit. Units are
   * milliseconds ({@code ms}, {@code msec}, {@code millisecond}; the default), seconds ({@code s},
   * {@code sec}, {@code second}), minutes ({@code m}, {@code min}, {@code minute}), hours ({@code
   * h}, {@code hr}, {@code hour}), days ({@code d}, {@code day}) and years of 365.25 days ({@code
   * y}, {@code yr}, {@code year}). They are case-insensitive, and their longer names have a plural.
   *
   * @param option the name of the option, for error messages
   * @param time the time as text
   * @return milliseconds, rounded down
   * @throws IllegalArgumentException if the text has another form, or the time exceeds a {@code
   *     long}
   */
  public static long millis(String option, String time) {
    Matcher found = TIME.matcher(time);
    double unit = found.matches() ? unit(found.group(2)) : 0;
    if (unit == 0) {
      throw new IllegalArgumentException(
          option + " must be a time such as \"2 hours\", was \"" + time + "\"");
    }
    return Quantity.whole(option, time, found.group(1), unit);
  }

  /**
   * Checks a time given as a number.
   *
   * @param option the name of the option, for error messages
   * @param millis the number of milliseconds
   * @return the number of milliseconds
   * @throws IllegalArgumentException if the number is negative
   */
  public static long millis(String option, long millis) {
    return Quantity.atLeast(option, 0, millis);
  }

  /** Returns the milliseconds of a unit; 0 if the unit is unknown. */
  private static double unit(@Nullable String name) {
    return switch (name == null ? "ms" : name.toLowerCase(Locale.ROOT)) {
      case "ms", "msec", "msecs", "millisecond", "milliseconds" -> 1;
      case "s", "sec", "secs", "second", "seconds" -> SECOND;
      case "m", "min", "mins", "minute", "minutes" -> MINUTE;
      case "h", "hr", "hrs", "hour", "hours" -> HOUR;
      case "d", "day", "days" -> DAY;
      case "y", "yr", "yrs", "year", "years" -> YEAR;
      default -> 0;
    };
  }
}
