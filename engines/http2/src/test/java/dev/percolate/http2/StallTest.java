package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StallTest {

  private final ListenOptions options = ListenOptions.ofPort(0);
  private final Stall stall = new Stall();

  /** Returns after how many seconds a client is too slow that takes so much each second. */
  private int secondsUntilCut(int bytes, int most) {
    for (int second = 0; second < most; second++) {
      stall.moved(bytes);
      if (stall.isTooSlow(TimeUnit.SECONDS.toNanos(second), true, options)) {
        return second;
      }
    }
    return most;
  }

  @Test
  void aClientThatReadsByteByByteIsTooSlow() {
    assertTrue(secondsUntilCut(1, 100) <= 6);
  }

  @Test
  void aClientThatReadsAtTheMinimumRateIsNotTooSlow() {
    assertTrue(secondsUntilCut(501, 1_000) == 1_000);
  }

  @Test
  void aClientThatHasReadMuchMayPauseForTheWriteTimeout() {
    stall.moved(1 << 20);
    int second = secondsUntilCut(0, 100);
    assertTrue(second >= 60 && second <= 63, "cut off after " + second);
  }

  @Test
  void timeDoesNotCountWhileTheWindowIsOpen() {
    ListenOptions hasty = options.writeTimeout(Duration.ofMillis(1));
    for (int second = 0; second < 100; second++) {
      assertFalse(stall.isTooSlow(TimeUnit.SECONDS.toNanos(second), false, hasty));
    }
  }
}
