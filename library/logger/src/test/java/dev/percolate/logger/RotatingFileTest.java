package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RotatingFileTest {

  private final RotatingFile file = RotatingFile.of("x/../a.log");

  @Test
  void optionsGiveChangedCopies() {
    RotatingFile all = file.daily().maxBytes("1kb").maxFiles(3).compress(true);
    assertEquals(
        new RotatingFile.Rules(Path.of("a.log").toAbsolutePath(), ChronoUnit.DAYS, 1024, 3, true),
        all.rules());
    assertEquals(ChronoUnit.HOURS, all.hourly().rules().unit());
    assertEquals(ChronoUnit.DAYS, all.rules().unit());
    RotatingFile.Rules bySize = file.maxBytes(7).rules();
    assertNull(bySize.unit());
    assertEquals(0, bySize.keep());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "100mb, 104857600",
    "1.5 GB, 1610612736",
    "500KB, 512000",
    "5b, 5",
    "2tb, 2199023255552"
  })
  void sizesHaveUnits(String size, long bytes) {
    assertEquals(bytes, file.maxBytes(size).rules().maxBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10 bananas", "", "mb", "-1", "1.5", "1e3", "10 m", " 1", "٣"})
  void invalidSizesAreRejectedByName(String size) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> file.maxBytes(size)).getMessage();
    assertEquals("maxBytes must be a size such as \"100kb\", was \"" + size + "\"", message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0kb", "0.0001kb"})
  void aSizeOfZeroIsRejectedByName(String size) {
    assertEquals(
        "maxBytes must be at least 1, was 0",
        assertThrows(IllegalArgumentException.class, () -> file.maxBytes(size)).getMessage());
  }

  @Test
  void numbersOutOfRangeAreRejectedByName() {
    for (int number : new int[] {0, -1}) {
      assertEquals(
          "maxBytes must be at least 1, was " + number,
          assertThrows(IllegalArgumentException.class, () -> file.maxBytes(number)).getMessage());
      assertEquals(
          "maxFiles must be at least 1, was " + number,
          assertThrows(IllegalArgumentException.class, () -> file.maxFiles(number)).getMessage());
    }
  }

  @Test
  void aPeriodOrMaximumSizeIsRequired() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> LogSink.rotating(file.maxFiles(3)))
            .getMessage();
    assertTrue(String.valueOf(message).contains("daily(), hourly() or maxBytes("), message);
  }
}
