package dev.percolate.http;

import java.util.Locale;

/** Reads lengths of time that people write, such as {@code 1d} or {@code 2 hours}. */
public final class TimeSpan {
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
   * @param text any text
   * @return milliseconds; NaN when the text is no length of time
   */
  public static double parse(String text) {
    int end = numberEnd(text);
    int unit = end;
    while (unit < text.length() && text.charAt(unit) == ' ') {
      unit++;
    }
    double length = end == 0 ? Double.NaN : unit(text.substring(unit));
    return Double.isNaN(length) ? length : length * Double.parseDouble(text.substring(0, end));
  }

  /** Returns the end of the number: digits, or digits behind a dot; 0 without one. */
  private static int numberEnd(String text) {
    int whole = digitsEnd(text, 0);
    boolean dot = whole < text.length() && text.charAt(whole) == '.';
    int fraction = dot ? digitsEnd(text, whole + 1) : whole;
    return fraction > whole + 1 ? fraction : whole;
  }

  private static int digitsEnd(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  private static double unit(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "", "ms", "msec", "msecs", "millisecond", "milliseconds" -> 1;
      case "s", "sec", "secs", "second", "seconds" -> SECOND;
      case "m", "min", "mins", "minute", "minutes" -> MINUTE;
      case "h", "hr", "hrs", "hour", "hours" -> HOUR;
      case "d", "day", "days" -> DAY;
      case "y", "yr", "yrs", "year", "years" -> YEAR;
      default -> Double.NaN;
    };
  }
}
