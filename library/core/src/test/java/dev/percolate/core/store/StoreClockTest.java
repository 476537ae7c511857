package dev.percolate.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class StoreClockTest {

  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static void assertNear(long expected, long millis) {
    assertTrue(Math.abs(expected - millis) < 5000, millis + ", not " + expected);
  }

  @Test
  void timesAreConvertedIfTheClocksDiffer() {
    StoreClock clock = new StoreClock(() -> Instant.ofEpochMilli(10 * HOUR));
    clock.set(11 * HOUR, System.nanoTime());
    assertNear(11 * HOUR, clock.now());
    assertNear(4 * HOUR, clock.toStore(Instant.ofEpochMilli(3 * HOUR)));
    assertNear(3 * HOUR, clock.toLocal(4 * HOUR).toEpochMilli());
    assertEquals(10 * HOUR, clock.localNow().toEpochMilli());
  }

  @Test
  void aDifferenceOfLessThanASecondIsIgnored() {
    StoreClock clock = new StoreClock(Instant::now);
    clock.set(System.currentTimeMillis() + 500, System.nanoTime());
    assertEquals(HOUR, clock.toStore(Instant.ofEpochMilli(HOUR)));
    assertEquals(HOUR, clock.toLocal(HOUR).toEpochMilli());
  }

  @Test
  void theClockIsReadFirstByEachCallerAndThenByOne() {
    StoreClock clock = new StoreClock(Instant::now);
    assertTrue(clock.isDue());
    assertTrue(clock.isDue());
    clock.set(System.currentTimeMillis(), System.nanoTime());
    assertFalse(clock.isDue());
  }
}
