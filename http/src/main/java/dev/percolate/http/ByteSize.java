package dev.percolate.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the sizes that options are given, such as {@code 100kb}, and refuses what is none. */
public final class ByteSize {
  private static final Pattern SIZE =
      Pattern.compile("(\\d+)(?: *b)?|(\\d+(?:\\.\\d+)?) *([kmgtp])b", Pattern.CASE_INSENSITIVE);
  private static final String UNITS = "kmgtp";

  private ByteSize() {}

  /**
   * Reads a size: a whole number of bytes, alone or before {@code b}, or a decimal number before
   * {@code kb}, {@code mb}, {@code gb}, {@code tb} or {@code pb}, which count 1024<sup>1</sup> to
   * 1024<sup>5</sup> bytes and are rounded down. Units are in any letter case; blanks may stand
   * before them.
   *
   * @param option the name of the option, for the message of an error
   * @param size the size as text
   * @return a number of bytes
   * @throws IllegalArgumentException for any other text, or if it is too large for a {@code long}
   */
  public static long bytes(String option, String size) {
    Matcher found = SIZE.matcher(size);
    if (!found.matches()) {
      throw new IllegalArgumentException(option + "(\"" + size + "\"): not a size");
    }
    String unit = found.group(3);
    if (unit == null) {
      return Quantity.whole(option, size, found.group(1), 1);
    }
    int power = UNITS.indexOf(unit.toLowerCase(Locale.ROOT)) + 1;
    return Quantity.whole(option, size, found.group(2), Math.pow(1024, power));
  }

  /**
   * Checks a size that is a number.
   *
   * @param option the name of the option, for the message of an error
   * @param bytes the number of bytes
   * @return the same
   * @throws IllegalArgumentException if it is negative
   */
  public static long bytes(String option, long bytes) {
    return Quantity.notNegative(option, bytes);
  }
}
