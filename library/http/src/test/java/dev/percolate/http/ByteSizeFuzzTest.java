package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.function.LongSupplier;

/** A size or time is parsed or rejected; leading digits never overflow. */
final class ByteSizeFuzzTest {

  @FuzzTest
  void sizesAndTimesAreReadOrRefused(byte[] data) {
    String text = FuzzLines.text(data);
    assertReadOrRejected(() -> ByteSize.bytes("limit", text), "limit", text);
    assertReadOrRejected(() -> TimeSpan.millis("maxAge", text), "maxAge", text);
    assertTrue(LeadingNumber.parseDigits(text) >= -1);
  }

  private static void assertReadOrRejected(LongSupplier reader, String option, String text) {
    try {
      assertTrue(reader.getAsLong() >= 0, text);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith(option) && message.contains('"' + text + '"'), message);
    }
  }
}
