package dev.percolate.conformance;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads sizes and times as the originals do. They accept texts that Percolate rejects, such as
 * {@code 10 bananas}.
 */
final class Quantities {

  private static final Pattern UNIT =
      Pattern.compile("([-+]?\\d+(?:\\.\\d+)?) *([kmgtp])b", Pattern.CASE_INSENSITIVE);
  private static final Pattern INTEGER =
      Pattern.compile("[\\s\\p{Z}\\uFEFF]*([-+]?\\d+).*", Pattern.DOTALL);
  private static final Pattern TIME =
      Pattern.compile(
          "(\\d+(?:\\.\\d+)?|\\.\\d+) *(?:(ms|msecs?|milliseconds?)|(s|secs?|seconds?)"
              + "|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?)|(y|yrs?|years?))?",
          Pattern.CASE_INSENSITIVE);
  private static final double[] MILLIS = {1, 1e3, 60e3, 3600e3, 86400e3, 365.25 * 86400e3};

  private Quantities() {}

  /**
   * Reads a size: a number or a string. Without a unit, reads the leading integer; NaN if absent.
   */
  static double bytes(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    String text = value instanceof String given ? given : "";
    Matcher sized = UNIT.matcher(text);
    if (sized.matches()) {
      int power = "kmgtp".indexOf(sized.group(2).toLowerCase(Locale.ROOT)) + 1;
      return Math.floor(Double.parseDouble(sized.group(1)) * Math.pow(1024, power));
    }
    Matcher whole = INTEGER.matcher(text);
    return whole.matches() ? Double.parseDouble(whole.group(1)) + 0.0 : Double.NaN; // no -0
  }

  /** Reads a time in milliseconds: a number or a string. Returns NaN if it is invalid. */
  static double millis(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    Matcher found = TIME.matcher(value instanceof String text ? text : "");
    if (!found.matches()) {
      return Double.NaN;
    }
    double unit = 1;
    for (int i = 0; i < MILLIS.length; i++) {
      unit = found.group(i + 2) == null ? unit : MILLIS[i];
    }
    return unit * Double.parseDouble(found.group(1));
  }
}
