package dev.percolate.middleware;

import dev.percolate.http.ByteSize;
import dev.percolate.http.Headers;
import dev.percolate.http.TimeSpan;
import java.util.Locale;

/** Checks the values of options, and says by name and value what is wrong with them. */
final class Options {

  private static final String SIZE_UNITS = "|b|kb|mb|gb|tb|";

  private Options() {}

  static String headerName(String option, String name) {
    try {
      new Headers().set(name, "");
    } catch (IllegalArgumentException e) {
      throw wrong(option, name, "not the name of a header");
    }
    return name;
  }

  /** Gives a text that may stand between the quotes of a header. */
  static String quotable(String option, String text) {
    boolean plain = text.chars().allMatch(c -> c >= ' ' && c != 0x7F && c <= 0xFF);
    if (!plain || text.indexOf('"') >= 0 || text.indexOf('\\') >= 0) {
      throw wrong(option, text, "cannot stand between quotes in a header");
    }
    return text;
  }

  static String secret(String option, String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException(option + "(\"\"): a secret must not be empty");
    }
    return secret;
  }

  /** Gives bytes: a number, perhaps with a fraction, blanks, and a unit of powers of 1024. */
  static long bytes(String option, String size) {
    int number = digitsEnd(size, 0);
    if (number > 0 && number < size.length() && size.charAt(number) == '.') {
      int fraction = digitsEnd(size, number + 1);
      number = fraction > number + 1 ? fraction : 0;
    }
    String unit = size.substring(number).replace(" ", "").toLowerCase(Locale.ROOT);
    boolean known = unit.isEmpty() || SIZE_UNITS.contains("|" + unit + "|");
    if (number == 0 || !known) {
      throw wrong(option, size, "not a size");
    }
    return (long) ByteSize.parse(size);
  }

  static long bytes(String option, long bytes) {
    return atLeastZero(option, bytes, "not a number of bytes");
  }

  /** Gives milliseconds; see {@link TimeSpan}. */
  static long millis(String option, String time) {
    double millis = TimeSpan.parse(time);
    if (Double.isNaN(millis)) {
      throw wrong(option, time, "not a time");
    }
    return (long) millis;
  }

  static long millis(String option, long millis) {
    return atLeastZero(option, millis, "not a time");
  }

  static IllegalArgumentException wrong(String option, String value, String reason) {
    return new IllegalArgumentException(option + "(\"" + value + "\"): " + reason);
  }

  private static long atLeastZero(String option, long number, String reason) {
    if (number < 0) {
      throw new IllegalArgumentException(option + "(" + number + "): " + reason);
    }
    return number;
  }

  private static int digitsEnd(String text, int from) {
    int i = from;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i;
  }
}
