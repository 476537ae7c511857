package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class BodyRateTest {

  private static final long START = Long.MAX_VALUE - 3_000_000_000L; // nanoTime may overflow
  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).bodyTimeout(Duration.ofSeconds(60)).minBodyRate(100);

  private final BodyRate pace = new BodyRate(START);

  private static long at(double seconds) {
    return START + (long) (seconds * 1e9);
  }

  @Test
  void aGapLongerThanTheTimeOutIsTooSlow() {
    pace.received(1_000_000, at(1));
    assertFalse(pace.isTooSlow(at(61), OPTIONS, false));
    assertTrue(pace.isTooSlow(at(61.1), OPTIONS, false));
  }

  @Test
  @DisplayName("DOS-02: a rate below the least is too slow, but not in the first seconds")
  void aRateBelowTheLeastIsTooSlowButNotInTheFirstSeconds() {
    pace.received(1, at(4));
    assertFalse(pace.isTooSlow(at(4.9), OPTIONS, false));
    assertTrue(pace.isTooSlow(at(5.1), OPTIONS, false));
    pace.received(600, at(5.5));
    assertFalse(pace.isTooSlow(at(6), OPTIONS, false));
    assertTrue(pace.isTooSlow(at(6.1), OPTIONS, false));
    assertFalse(pace.isTooSlow(at(6.1), OPTIONS.minBodyRate(0), false));
  }

  @Test
  void whileNobodyWaitsForItNoTimeGoesBy() {
    pace.received(500, at(4));
    pace.paused(at(4));
    pace.resumed(at(100));
    assertFalse(pace.isTooSlow(at(100.9), OPTIONS, false));
    assertTrue(pace.isTooSlow(at(101.1), OPTIONS, false));
  }

  @Test
  void whoKeepsOthersWaitingMayBeSilentForFiveSeconds() {
    pace.received(20_000, at(1));
    assertFalse(pace.isTooSlow(at(5.9), OPTIONS, true));
    assertTrue(pace.isTooSlow(at(6.1), OPTIONS, true));
    assertFalse(pace.isTooSlow(at(6.1), OPTIONS, false));
  }
}
