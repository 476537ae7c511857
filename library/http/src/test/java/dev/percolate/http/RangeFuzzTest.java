package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Every range is within the size, and starts before its end. */
final class RangeFuzzTest {

  @FuzzTest
  void rangesAreWithinTheSize(byte[] data) {
    String[] lines = FuzzLines.of(data, 2);
    long size = Math.floorMod((long) lines[0].hashCode(), 1_000_000L);
    Range range = Range.parse(lines[1], size);
    if (lines[1].isEmpty()) {
      assertNull(range);
      return;
    }
    assertTrue(range.code() == 0 || range.parts().isEmpty());
    for (Range.Part part : range.parts()) {
      assertTrue(0 <= part.start() && part.start() <= part.end() && part.end() < size);
    }
  }
}
