package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {

  private static final long EXAMPLE = 784_111_777_000L;

  @Test
  void datesAreWrittenAsRfc1123InGmt() {
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
    assertEquals("Thu, 01 Jan 1970 00:00:00 GMT", HttpDate.format(999));
    assertEquals("Sat, 29 Feb 2020 23:59:59 GMT", HttpDate.format(1_583_020_799_999L));
    assertEquals("Wed, 31 Dec 1969 23:59:59 GMT", HttpDate.format(Instant.ofEpochMilli(-1)));
  }

  @Test
  void yearsWithMoreThanFourDigitsAreRejected() {
    assertEquals("Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.format(253_402_300_799_000L));
    assertThrows(IllegalArgumentException.class, () -> HttpDate.format(253_402_300_800_000L));
    assertThrows(IllegalArgumentException.class, () -> HttpDate.format(Long.MIN_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 10:49:37 +0200",
        "Sun, 06 Nov 1994 03:19:37 -0530",
        "06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994",
        "1994-11-06T08:49:37Z",
        "1994-11-06T08:49:37.000Z",
        "1994-11-06T08:49:37",
        "1994-11-06T10:49:37+02:00",
        "  Sun, 06 Nov 1994 08:49:37 GMT "
      })
  void allFormatsAreParsed(String text) {
    assertEquals(EXAMPLE, HttpDate.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "1994-11-06,784080000000",
    "1970-01-01T00:00:00.123456Z,123",
    "1970-01-01T00:00:00.5Z,500",
    "1970-01-01T00:01Z,60000",
    "'Thu, 01 Jan 1970 00:00:00 GMT',0",
    "'Wednesday, 31-Dec-1969 23:59:59 GMT',-1000",
    "'Saturday, 01-Jan-00 00:00:00 GMT',946684800000",
    "'Fri, 01 Jan 2049 00:00:00 GMT',2493072000000",
    "'Fri, 01-Jan-49 00:00:00 GMT',2493072000000",
    "'Sat, 01-Jan-50 00:00:00 GMT',2524608000000",
    "'Fri, 01-Jan-99 00:00:00 GMT',915148800000",
    "'Sat, 31 Dec 2016 23:59:60 GMT',1483228800000"
  })
  void yearsDaysAndFractionsAreParsed(String text, long millis) {
    assertEquals(millis, HttpDate.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "0",
        "-1",
        "yesterday",
        "Sun",
        "Sun,",
        "Sun, 06 Nov",
        "Sun, 06 Nov 1994",
        "Sun, 32 Jan 1994 00:00:00 GMT",
        "Sun, 30 Feb 2020 00:00:00 GMT",
        "Sun, 29 Feb 2021 00:00:00 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 anf 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49:37 XYZ",
        "Sun, 06 Nov 1994 08:49:37 GMT x",
        "Sun, 06 Nov 199 08:49:37 GMT",
        "Sun, 06-Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT",
        "1994-13-01",
        "1994-00-01",
        "1994-1-1",
        "1994-11-06T",
        "1994-11-06T08",
        "1994-11-06T08:49:37.Z",
        "99999-01-01",
        "\u0661994-11-06"
      })
  void invalidDatesReturnNull(String text) {
    assertNull(HttpDate.parse(text));
  }

  @Test
  void absentDatesReturnNull() {
    assertNull(HttpDate.parse(null));
  }

  @Test
  void longInvalidTextIsReadInOnePass() {
    assertNull(HttpDate.parse("1994-11-06T08:49:37." + "9".repeat(100_000) + "x"));
    assertNull(HttpDate.parse("Sun, " + " ".repeat(100_000)));
    assertNull(HttpDate.parse("S".repeat(100_000)));
  }

  @Test
  void aYearOfTwoDigitsIsAtMostFiftyYearsAhead() {
    int now = Year.now(ZoneOffset.UTC).getValue();
    for (int year : new int[] {now + 50, now, now - 49}) {
      String text = String.format(Locale.ROOT, "Friday, 01-Jul-%02d 00:00:00 GMT", year % 100);
      LocalDate expected = LocalDate.of(year, 7, 1);
      assertEquals(expected.toEpochDay() * 86_400_000, HttpDate.parse(text), text);
    }
  }

  @Test
  void formattedDatesAreParsedBack() {
    for (long millis = -10_000_000_000_000L;
        millis < 10_000_000_000_000L;
        millis += 987_654_321_000L) {
      assertEquals(millis, HttpDate.parse(HttpDate.format(millis)));
    }
  }
}
