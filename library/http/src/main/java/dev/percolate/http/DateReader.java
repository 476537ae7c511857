package dev.percolate.http;

import java.time.LocalDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses one date from left to right. An error sets {@code failed} instead of throwing, since
 * invalid dates from clients are not exceptional.
 */
final class DateReader extends TextScanner {
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final String DAYS = "sunmontuewedthufrisat";
  private static final Set<String> ZONES = Set.of("gmt", "utc", "ut", "z");

  private boolean failed;

  private int year;
  private int month = 1;
  private int day = 1;
  private int hour;
  private int minute;
  private int second;
  private int millis;
  private int offsetMinutes;

  DateReader(String text) {
    super(text, 0);
  }

  @Nullable Long read() {
    if (digitsAhead() == 4) {
      isoDate();
    } else {
      headerDate();
    }
    if (failed || !isAtEnd() || !inRange()) {
      return null;
    }
    LocalDateTime time = LocalDateTime.of(year, month, day, hour, minute);
    long seconds = time.toEpochSecond(ZoneOffset.UTC) + second - offsetMinutes * 60L;
    return seconds * 1000 + millis;
  }

  private void isoDate() {
    year = number(4, 4);
    if (skip('-')) {
      month = number(2, 2);
      if (skip('-')) {
        day = number(2, 2);
      }
    }
    if (skip('T') || skip('t') || skip(' ')) {
      hour = number(2, 2);
      need(':');
      minute = number(2, 2);
      if (skip(':')) {
        second = number(2, 2);
        fraction();
      }
      zone();
    }
  }

  /**
   * Reads one of the three older formats; in asctime, the month directly follows the name of the
   * day.
   */
  private void headerDate() {
    if (digitsAhead() == 0) {
      String name = word();
      failed |= name.length() < 3 || DAYS.indexOf(name.substring(0, 3)) % 3 != 0;
      if (!skip(',')) {
        asctime();
        return;
      }
      skipBlanks();
    }
    day = number(1, 2);
    char separator = skip('-') ? '-' : ' ';
    skipBlanks();
    month();
    failed |= separator == '-' && !skip('-');
    skipBlanks();
    year();
    time();
    zone();
  }

  private void asctime() {
    need(' ');
    skipBlanks();
    month();
    skipBlanks();
    day = number(1, 2);
    time();
    need(' ');
    skipBlanks();
    year();
    zone();
  }

  private void year() {
    int digits = digitsAhead();
    year = number(2, 4);
    failed |= digits == 3;
    if (digits == 2) {
      int now = Year.now(ZoneOffset.UTC).getValue();
      year += now - now % 100;
      year -= year > now + 50 ? 100 : 0;
    }
  }

  private void time() {
    need(' ');
    skipBlanks();
    hour = number(2, 2);
    need(':');
    minute = number(2, 2);
    need(':');
    second = number(2, 2);
  }

  private void zone() {
    skipBlanks();
    boolean east = skip('+');
    if (east || skip('-')) {
      boolean joined = digitsAhead() == 4;
      int first = joined ? number(4, 4) : number(2, 2);
      int hours = joined ? first / 100 : first;
      int minutes = joined ? first % 100 : minutesAfterColon();
      failed |= hours > 23 || minutes > 59;
      offsetMinutes = (east ? 1 : -1) * (hours * 60 + minutes);
      return;
    }
    String name = word();
    failed |= !name.isEmpty() && !ZONES.contains(name);
  }

  private int minutesAfterColon() {
    need(':');
    return number(2, 2);
  }

  private void fraction() {
    if (!skip('.')) {
      return;
    }
    int digits = digitsAhead();
    failed |= digits == 0;
    int scale = 100;
    for (int i = 0; i < digits; i++, scale /= 10) {
      millis += scale * (text.charAt(at++) - '0');
    }
  }

  private void month() {
    String name = word();
    int found = name.length() == 3 ? MONTHS.indexOf(name) : -1;
    failed |= found < 0 || found % 3 != 0;
    month = found / 3 + 1;
  }

  private boolean inRange() {
    return month >= 1
        && month <= 12
        && day >= 1
        && day <= YearMonth.of(year, month).lengthOfMonth()
        && hour < 24
        && minute < 60
        && second <= 60; // 60 is a leap second
  }

  private int number(int least, int most) {
    int digits = digitsAhead();
    if (digits < least || digits > most) {
      failed = true;
      return 1;
    }
    at += digits;
    return Integer.parseInt(text, at - digits, at, 10);
  }

  private int digitsAhead() {
    return Ascii.skipDigits(text, at) - at;
  }

  private String word() {
    return take(Ascii::isLetter).toLowerCase(Locale.ROOT);
  }

  private void skipBlanks() {
    skipAll(" ");
  }

  private void need(char c) {
    failed |= !skip(c);
  }
}
