package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeSpanTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "5000,5000",
    "7ms,7",
    "7 msec,7",
    "7msecs,7",
    "7 millisecond,7",
    "7 milliseconds,7",
    "2s,2000",
    "2 sec,2000",
    "2secs,2000",
    "1 second,1000",
    "2 seconds,2000",
    "1.5m,90000",
    "3 min,180000",
    "3mins,180000",
    "3 minute,180000",
    "3 minutes,180000",
    "2h,7200000",
    "2 hr,7200000",
    "2hrs,7200000",
    "1 hour,3600000",
    "2   HOURS,7200000",
    "1d,86400000",
    "1 Day,86400000",
    ".5 days,43200000",
    "1y,31557600000",
    "1 yr,31557600000",
    "2yrs,63115200000",
    "1 year,31557600000",
    "0.5 years,15778800000",
    "0.25,0",
    "1.9,1",
    "9007199254740993,9007199254740993"
  })
  void aNumberAndAUnitAreMilliseconds(String text, long millis) {
    assertEquals(millis, TimeSpan.millis("maxAge", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "soon",
        "d",
        "-1d",
        "+1d",
        "1w",
        "2 weeks",
        "1 month",
        "1.",
        "1.d",
        "1..5s",
        ".",
        " 1d",
        "1d ",
        "1 ",
        "1\td",
        "1e3",
        "1d2h",
        "\u0661d",
        "1 d s",
        "0x10",
        "bananas",
        "3 \u212a",
        "1 m\u0131n"
      })
  void invalidTimesAreRejectedByNameAndValue(String text) {
    assertEquals(
        "maxAge must be a time such as \"2 hours\", was \"" + text + "\"", rejection(text));
  }

  @Test
  void timesBeyondALongAreRejected() {
    assertEquals(
        "maxAge must be at most 9223372036854775807, was \"300000000y\"", rejection("300000000y"));
    String nines = "9".repeat(100_000);
    assertEquals(
        "maxAge must be at most 9223372036854775807, was \"" + nines + "\"", rejection(nines));
  }

  @Test
  void negativeNumbersAreRejectedByNameAndValue() {
    assertEquals(0, TimeSpan.millis("maxAge", 0));
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> TimeSpan.millis("maxAge", -5));
    assertEquals("maxAge must be at least 0, was -5", error.getMessage());
  }

  private static String rejection(String text) {
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> TimeSpan.millis("maxAge", text));
    return String.valueOf(error.getMessage());
  }
}
