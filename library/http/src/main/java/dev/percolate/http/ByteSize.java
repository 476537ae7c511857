package dev.percolate.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses sizes in options, such as {@code 100kb}. */
public final class ByteSize {
  private static final Pattern SIZE =
      Pattern.compile("(\\d+)(?: *b)?|(\\d+(?:\\.\\d+)?) *([kmgtp])b", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "kmgtp";

  private ByteSize() {}

  /**
   * Parses a size: a whole number of bytes, optionally followed by {@code b}, or a decimal number
   * with a unit. Units are {@code kb}, {@code mb}, {@code gb}, {@code tb} and {@code pb}, that is,
   * 1024<sup>1</sup> to 1024<sup>5</sup> bytes. The result is rounded down. Units are
   * case-insensitive; spaces are allowed before them.
   *
   * @param option the name of the option, for error messages
   * @param size the size as text
   * @return the number of bytes
   * @throws IllegalArgumentException if the text has another form, or the size exceeds a {@code
   *     long}
   */
  public static long bytes(String option, String size) {
    Matcher found = SIZE.matcher(size);
    if (!found.matches()) {
      throw new IllegalArgumentException(
          option + " must be a size such as \"100kb\", was \"" + size + "\"");
    }
    String unit = found.group(3);
    if (unit == null) {
      return Quantity.whole(option, size, found.group(1), 1);
    }
    int power = UNITS.indexOf(unit.toLowerCase(Locale.ROOT)) + 1;
    return Quantity.whole(option, size, found.group(2), Math.pow(1024, power));
  }

  /**
   * Checks a size given as a number.
   *
   * @param option the name of the option, for error messages
   * @param bytes the number of bytes
   * @return the number of bytes
   * @throws IllegalArgumentException if the number is negative
   */
  public static long bytes(String option, long bytes) {
    return Quantity.atLeast(option, 0, bytes);
  }
}
