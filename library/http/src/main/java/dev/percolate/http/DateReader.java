package dev.percolate.http;

import java.time.LocalDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses dates. Invalid dates from clients are not exceptional, so nothing is thrown. */
final class DateReader {
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

  /** The formats of RFC 1123 and RFC 850, of asctime, and of ISO 8601. */
  private static final List<Pattern> FORMATS =
      List.of(
          format("(?:WEEKDAY, *)?DAY(?<dash>-?) *MONTH\\k<dash> *YEAR +HOUR:MINUTE:SECONDZONE"),
          format("WEEKDAY +MONTH *DAY +HOUR:MINUTE:SECOND +YEARZONE"),
          format(
              "(?<year>\\d{4})(?:-(?<month>0[1-9]|1[0-2])(?:-(?<day>\\d\\d))?)?"
                  + "(?:[T ]HOUR:MINUTE(?::SECOND(?:\\.\\d+)?)?ZONE)?"));

  private DateReader() {}

  /** Compiles a format, in which the words in upper case are parts of dates. */
  private static Pattern format(String format) {
    String regexp =
        format
            .replace("WEEKDAY", "(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*")
            .replace("DAY", "(?<day>\\d{1,2})")
            .replace("MONTH", "(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
            .replace("YEAR", "(?<year>\\d{4}|\\d\\d)")
            .replace("HOUR", "(?<hour>[01]\\d|2[0-3])")
            .replace("MINUTE", "(?<minute>[0-5]\\d)")
            .replace("SECOND", "(?<second>[0-5]\\d|60)") // 60 is a leap second
            .replace("ZONE", " *(?:(?<offset>[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)|gmt|utc|ut|z)?");
    return Pattern.compile(regexp, Pattern.CASE_INSENSITIVE);
  }

  /** Returns milliseconds since 1970-01-01T00:00:00Z; null if the date is invalid. */
  static @Nullable Long read(String text) {
    for (Pattern format : FORMATS) {
      Matcher date = format.matcher(text);
      if (date.matches()) {
        return millis(date);
      }
    }
    return null;
  }

  private static @Nullable Long millis(Matcher date) {
    int year = year(date.group("year"));
    int month = month(date.group("month"));
    int day = number(date.group("day"), 1);
    if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
      return null;
    }
    int hour = number(date.group("hour"), 0);
    int minute = number(date.group("minute"), 0);
    LocalDateTime time = LocalDateTime.of(year, month, day, hour, minute);
    long seconds = time.toEpochSecond(ZoneOffset.UTC) - offset(date.group("offset")) * 60L;
    seconds += number(date.group("second"), 0);
    return seconds * 1000 + fraction(date.group());
  }

  private static int number(@Nullable String text, int absent) {
    return text == null ? absent : Integer.parseInt(text);
  }

  private static int year(String text) {
    int year = Integer.parseInt(text);
    if (text.length() == 2) {
      int now = Year.now(ZoneOffset.UTC).getValue();
      year += now - now % 100;
      year -= year > now + 50 ? 100 : 0;
    }
    return year;
  }

  /** Returns a month, from its name or number. */
  private static int month(@Nullable String text) {
    int name = text == null ? 0 : MONTHS.indexOf(text.toLowerCase(Locale.ROOT));
    return name < 0 ? number(text, 1) : name / 3 + 1;
  }

  /** Returns the milliseconds after the decimal point, the only one in a date; 0 if absent. */
  private static int fraction(String date) {
    int point = date.indexOf('.');
    String digits = date.substring(point + 1, point < 0 ? 0 : Ascii.skipDigits(date, point + 1));
    return Integer.parseInt((digits + "000").substring(0, 3));
  }

  /** Returns the minutes of an offset from GMT, such as {@code +01:00}; 0 if it is absent. */
  private static int offset(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    int hours = Integer.parseInt(text, 1, 3, 10);
    int minutes = Integer.parseInt(text, text.length() - 2, text.length(), 10);
    return (text.charAt(0) == '+' ? 1 : -1) * (hours * 60 + minutes);
  }
}
