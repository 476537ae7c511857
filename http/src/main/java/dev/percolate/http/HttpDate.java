package dev.percolate.http;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes and reads the dates of HTTP headers (RFC 9110 section 5.6.7). */
public final class HttpDate {
  private static final long FIRST_SECOND = -62_167_219_200L;
  private static final long LAST_SECOND = 253_402_300_799L;
  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** IMF-fixdate, the date of RFC 850, and that of asctime. */
  private static final Pattern HTTP =
      Pattern.compile(
          "(?:[a-z]{3}, \\d\\d [a-z]{3} \\d{4}|[a-z]{6,9}, \\d\\d-[a-z]{3}-\\d\\d) [0-9:]{8} GMT"
              + "|[a-z]{3} [a-z]{3} (?:\\d\\d| \\d) [0-9:]{8} \\d{4}",
          Pattern.CASE_INSENSITIVE);

  private HttpDate() {}

  /**
   * Writes an instant in the preferred form, such as {@code Sun, 06 Nov 1994 08:49:37 GMT};
   * fractions of a second are cut off.
   *
   * @param instant the instant
   * @return the text
   * @throws IllegalArgumentException when the year does not fit into four digits
   */
  public static String format(Instant instant) {
    if (instant.getEpochSecond() < FIRST_SECOND || instant.getEpochSecond() > LAST_SECOND) {
      throw new IllegalArgumentException("date " + instant + ": the year must have four digits");
    }
    LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(29);
    int day = 3 * (time.getDayOfWeek().getValue() - 1);
    int month = 3 * (time.getMonthValue() - 1);
    text.append(DAYS, day, day + 3).append(", ");
    twoDigits(text, time.getDayOfMonth()).append(' ');
    text.append(MONTHS, month, month + 3).append(' ');
    twoDigits(twoDigits(text, time.getYear() / 100), time.getYear() % 100).append(' ');
    twoDigits(text, time.getHour()).append(':');
    twoDigits(text, time.getMinute()).append(':');
    return twoDigits(text, time.getSecond()).append(" GMT").toString();
  }

  /**
   * Writes a time in the preferred form.
   *
   * @param epochMillis milliseconds since 1970-01-01T00:00:00Z
   * @return the text, as {@link #format(Instant)} gives it
   */
  public static String format(long epochMillis) {
    return format(Instant.ofEpochMilli(epochMillis));
  }

  /**
   * Reads a date of RFC 1123, RFC 850, asctime or ISO 8601. A date without a zone is in GMT; a year
   * of two digits is in this century, unless it would be more than 50 years ahead. The name of the
   * day is not compared with the date.
   *
   * @param text the header's value, or null
   * @return milliseconds since 1970-01-01T00:00:00Z, or null when there is no readable date
   */
  public static @Nullable Long parse(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String trimmed = ListText.trim(text);
    return new DateReader(trimmed).read();
  }

  /**
   * Reads a date in one of the three forms that HTTP allows in its headers.
   *
   * @param text the value of the header
   * @return milliseconds since 1970-01-01T00:00:00Z, or null if the text is no such date
   */
  static @Nullable Long parseHttp(String text) {
    String date = text.strip();
    return HTTP.matcher(date).matches() ? new DateReader(date).read() : null;
  }

  private static StringBuilder twoDigits(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
