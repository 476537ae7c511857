package dev.percolate.http;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Formats and parses the dates of HTTP headers (RFC 9110 section 5.6.7). */
public final class HttpDate {
  private static final long FIRST_SECOND = -62_167_219_200L;
  private static final long LAST_SECOND = 253_402_300_799L;
  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** The formats IMF-fixdate, RFC 850 and asctime. */
  private static final Pattern HTTP =
      Pattern.compile(
          "(?:[a-z]{3}, \\d\\d [a-z]{3} \\d{4}|[a-z]{6,9}, \\d\\d-[a-z]{3}-\\d\\d) [0-9:]{8} GMT"
              + "|[a-z]{3} [a-z]{3} (?:\\d\\d| \\d) [0-9:]{8} \\d{4}",
          Pattern.CASE_INSENSITIVE);

  private HttpDate() {}

  /**
   * Formats an instant in the preferred format, such as {@code Sun, 06 Nov 1994 08:49:37 GMT}.
   * Fractions of a second are dropped.
   *
   * @param instant the instant
   * @return the date
   * @throws IllegalArgumentException if the year is not 0 to 9999
   */
  public static String format(Instant instant) {
    if (instant.getEpochSecond() < FIRST_SECOND || instant.getEpochSecond() > LAST_SECOND) {
      throw new IllegalArgumentException("year of an HTTP date must be 0 to 9999, was " + instant);
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
   * Formats a time in the preferred format; see {@link #format(Instant)}.
   *
   * @param epochMillis milliseconds since 1970-01-01T00:00:00Z
   * @return the date
   */
  public static String format(long epochMillis) {
    return format(Instant.ofEpochMilli(epochMillis));
  }

  /**
   * Parses a date in the format of RFC 1123, RFC 850, asctime or ISO 8601. A date without a time
   * zone is in GMT. A year of two digits is in this century, unless it would be more than 50 years
   * in the future. The name of the day may be wrong.
   *
   * @param text the value of the header, or null
   * @return milliseconds since 1970-01-01T00:00:00Z; null if the date is absent or invalid
   */
  public static @Nullable Long parse(@Nullable String text) {
    return text == null ? null : DateReader.read(ListText.trim(text));
  }

  /**
   * Parses a date in one of the three formats that HTTP allows in headers.
   *
   * @param text the value of the header
   * @return milliseconds since 1970-01-01T00:00:00Z; null if the date is invalid
   */
  static @Nullable Long parseHttp(String text) {
    String date = text.strip();
    return HTTP.matcher(date).matches() ? DateReader.read(date) : null;
  }

  private static StringBuilder twoDigits(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
