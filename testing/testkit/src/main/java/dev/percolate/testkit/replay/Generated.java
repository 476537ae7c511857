package dev.percolate.testkit.replay;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the values in texts that differ in each run: dates, generated ids, and masked secrets. */
final class Generated {

  private static final String DATE =
      "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?"
          + "|[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"
          + "|[A-Z][a-z]{2} [A-Z][a-z]{2} \\d\\d \\d{4} \\d\\d:\\d\\d:\\d\\d(?: GMT[+-]\\d{4}"
          + "(?: \\([^)]{1,60}\\))?)?"
          + "|\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4}"
          + "|1[5-9]\\d{11}(?!\\w)";

  private static final String DAY = "\\d{4}-\\d\\d-\\d\\d(?![\\w-])";

  private static final String ID = "[A-Za-z0-9+/]{16,}={1,2}|[A-Za-z0-9_-]{16,}";

  private static final Pattern VALUE =
      Pattern.compile(
          "\\$SECRET\\{([^}]{1,200})\\}|(?<![A-Za-z0-9])(?:("
              + DATE
              + ")|("
              + DAY
              + "))|(?<![A-Za-z0-9_-])("
              + ID
              + ")");

  private static final int SECRET_GROUP = 1;
  private static final int DATE_GROUP = 2;
  private static final int DAY_GROUP = 3;

  private final Matcher matcher;

  private Generated(String text) {
    matcher = VALUE.matcher(text).useTransparentBounds(true);
  }

  /** Finds the values of a text, one after the other. */
  static Generated in(String text) {
    return new Generated(text);
  }

  /** Finds the next value; returns false if there is none. */
  boolean find() {
    while (matcher.find()) {
      if (isValue()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the end of the value of the same kind at an index of another text; -1 if none. A day
   * must be the same, or the current one.
   */
  int endAt(String other, int index) {
    Generated there = new Generated(other);
    there.matcher.region(index, other.length());
    boolean found = there.matcher.lookingAt() && there.isValue() && !there.isSecret();
    if (!found || there.isDay() != isDay() || there.isDate() != isDate()) {
      return -1;
    }
    return !isDay() || there.text().equals(text()) || isCurrent(there.text()) ? there.end() : -1;
  }

  int start() {
    return matcher.start();
  }

  int end() {
    return matcher.end();
  }

  String text() {
    return matcher.group();
  }

  boolean isSecret() {
    return matcher.group(SECRET_GROUP) != null;
  }

  /** Returns true for a day, and for a day with a time. */
  boolean isDate() {
    return isDay() || matcher.group(DATE_GROUP) != null;
  }

  private boolean isDay() {
    return matcher.group(DAY_GROUP) != null;
  }

  /** Returns the name of a masked secret, without the mark of numbers. */
  String name() {
    String name = matcher.group(SECRET_GROUP);
    return name.endsWith("#") ? name.substring(0, name.length() - 1) : name;
  }

  private boolean isValue() {
    return isSecret() || isDate() || isId(matcher.group());
  }

  /** Returns true if a day is today in some time zone. */
  private static boolean isCurrent(String day) {
    try {
      LocalDate today = LocalDate.now(ZoneOffset.UTC);
      return Math.abs(ChronoUnit.DAYS.between(today, LocalDate.parse(day))) <= 1;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  /** Returns true for UUIDs, hashes and random text, but not for words and names. */
  private static boolean isId(String run) {
    boolean words = run.indexOf('-') >= 0 || run.indexOf('_') >= 0;
    int digits = 0;
    int upper = 0;
    int lower = 0;
    for (int i = 0; i < run.length(); i++) {
      char c = run.charAt(i);
      digits += c >= '0' && c <= '9' ? 1 : 0;
      upper += c >= 'A' && c <= 'Z' ? 1 : 0;
      lower += c >= 'a' && c <= 'z' ? 1 : 0;
    }
    boolean mixed = digits > 0 && upper > 1 && lower > 1;
    return words ? mixed || isUuid(run) : digits > 1 || mixed;
  }

  private static boolean isUuid(String run) {
    return run.length() >= 36
        && run.substring(run.length() - 36)
            .matches("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  }
}
