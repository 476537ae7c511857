package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** A parsed date is formatted and parsed to the same date. */
final class HttpDateFuzzTest {

  @FuzzTest
  void datesAreReadAsTheyWereWritten(byte[] data) {
    String text = FuzzLines.text(data);
    Long millis = HttpDate.parse(text);
    if (millis != null && millis >= 0 && millis < 253_402_300_800_000L) {
      String written = HttpDate.format(millis);
      assertEquals(millis / 1000 * 1000, HttpDate.parse(written), written);
    }
  }
}
