package dev.percolate.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the times that options are given, such as {@code 2 hours}, and refuses what is none. */
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
   * Reads a length of time: a decimal number without sign, blanks, and a unit in any letter case,
   * which is milliseconds ({@code ms}, {@code msec}, {@code millisecond}) where there is none, or
   * seconds ({@code s}, {@code sec}, {@code second}), minutes ({@code m}, {@code min}, {@code
   * minute}), hours ({@code h}, {@code hr}, {@code hour}), days ({@code d}, {@code day}) or years
   * of 365.25 days ({@code y}, {@code yr}, {@code year}). Longer names may be in the plural.
   *
   * @param option the name of the option, for the message of an error
   * @param time the time as text
   * @return milliseconds, rounded down
   * @throws IllegalArgumentException for any other text, or if it is too large for a {@code long}
   */
  public static long millis(String option, String time) {
    Matcher found = TIME.matcher(time);
    double unit = found.matches() ? unit(found.group(2)) : 0;
    if (unit == 0) {
      throw new IllegalArgumentException(option + "(\"" + time + "\"): not a time");
    }
    return Quantity.whole(option, time, found.group(1), unit);
  }

  /**
   * Checks a time that is a number.
   *
   * @param option the name of the option, for the message of an error
   * @param millis the number of milliseconds
   * @return the same
   * @throws IllegalArgumentException if it is negative
   */
  public static long millis(String option, long millis) {
    return Quantity.notNegative(option, millis);
  }

  /** Returns the milliseconds of a unit; 0 if there is no such unit. */
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
