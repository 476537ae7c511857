package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SlowClientMeterTest {

  private static final long START = Long.MAX_VALUE - 3_000_000_000L; // nanoTime may overflow
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int RATE = 100;

  private final SlowClientMeter meter = new SlowClientMeter();
  private long total;

  /** The time of the last check, in tenths of a second. */
  private int checked;

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  /** Checks ten times a second, as servers do. */
  private void checkUntil(double seconds) {
    for (; checked < seconds * 10; checked++) {
      meter.look(at(checked / 10.0), total, true);
    }
  }

  private void moves(int bytes, double seconds) {
    checkUntil(seconds);
    total += bytes;
    meter.look(at(seconds), total, true);
  }

  private boolean isTooSlow(double seconds, int leastRate) {
    checkUntil(seconds);
    return meter.isTooSlow(at(seconds), total, true, MINUTE, leastRate);
  }

  /** Returns after how many seconds a client is too slow that moves this many bytes per second. */
  private int secondsUntilTooSlow(int bytes, int most) {
    for (int second = 0; second < most; second++) {
      total += bytes;
      if (isTooSlow(second, RATE)) {
        return second;
      }
    }
    return most;
  }

  @Test
  void aGapLongerThanTheTimeoutIsTooSlow() {
    moves(0, 0);
    moves(1_000_000, 1);
    assertFalse(isTooSlow(61, RATE));
    assertTrue(isTooSlow(61.1, RATE));
  }

  @Test
  @DisplayName("DOS-02: a rate below the least is too slow, but not in the first seconds")
  void aRateBelowTheLeastIsTooSlowButNotInTheFirstSeconds() {
    moves(0, 0);
    moves(1, 4);
    assertFalse(isTooSlow(4.9, RATE));
    assertTrue(isTooSlow(5.1, RATE));
    moves(600, 5.5);
    assertFalse(isTooSlow(6, RATE));
    assertTrue(isTooSlow(6.1, RATE));
    assertFalse(isTooSlow(6.1, 0));
  }

  @Test
  void timeInWhichTheServerDoesNotWaitDoesNotCount() {
    moves(0, 0);
    total = 500;
    checkUntil(4);
    meter.look(at(4), total, false);
    checked = 1000;
    moves(0, 100);
    assertFalse(isTooSlow(100.9, RATE));
    assertTrue(isTooSlow(101.1, RATE));
  }

  @Test
  void aPauseOfTheServerCountsAsHalfASecond() {
    moves(0, 0);
    moves(1, 1);
    assertFalse(meter.isTooSlow(at(100), total, true, MINUTE, RATE));
    checked = 1000;
    assertFalse(isTooSlow(103.4, RATE));
    assertTrue(isTooSlow(103.6, RATE));
  }

  @Test
  void aClientIsNeverTooSlowWhileTheServerDoesNotWait() {
    for (int second = 0; second < 100; second++) {
      assertFalse(meter.isTooSlow(at(second), 0, false, Duration.ofMillis(1), RATE));
    }
  }

  @Test
  void aClientThatMovesSingleBytesIsTooSlow() {
    assertEquals(6, secondsUntilTooSlow(1, 100));
  }

  @Test
  void aClientAtTheMinimumRateIsNotTooSlow() {
    assertEquals(1_000, secondsUntilTooSlow(RATE, 1_000));
  }

  @Test
  void aClientThatHasMovedMuchMayPauseForTheTimeout() {
    moves(1 << 20, 0);
    int second = secondsUntilTooSlow(0, 100);
    assertTrue(second >= 60 && second <= 63, "too slow after " + second);
  }
}
