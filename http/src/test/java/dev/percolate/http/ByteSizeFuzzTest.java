package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** A size or a time is a number or refused; leading digits never overflow. */
final class ByteSizeFuzzTest {

  @FuzzTest
  void sizesAndTimesAreReadOrRefused(byte[] data) {
    String text = FuzzLines.text(data);
    try {
      double size = ByteSize.parse(text);
      assertEquals(Math.rint(size), size);
    } catch (IllegalArgumentException e) {
      assertTrue(String.valueOf(e.getMessage()).endsWith(" is invalid"), text);
    }
    double time = TimeSpan.parse(text);
    assertTrue(Double.isNaN(time) || time >= 0, text);
    assertTrue(LeadingNumber.parseDigits(text) >= -1);
  }
}
