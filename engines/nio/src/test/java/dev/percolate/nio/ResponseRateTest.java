package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which clients are too slow, with a simulated clock that ticks ten times per second. */
final class ResponseRateTest {

  private static final int LEAST = 500;
  private static final int NEVER = Integer.MAX_VALUE;

  private final ResponseRate rate = new ResponseRate();

  /**
   * Returns the seconds until a client is too slow.
   *
   * @param written the bytes that the system has taken, by the time in milliseconds
   */
  private int closedAfter(int seconds, LongUnaryOperator written) {
    for (long millis = 0; millis < seconds * 1000L; millis += 100) {
      long now = TimeUnit.MILLISECONDS.toNanos(millis);
      if (rate.isTooSlow(now, written.applyAsLong(millis), true, LEAST)) {
        return (int) (millis / 1000);
      }
    }
    return NEVER;
  }

  @DisplayName("DOS-15: a client below the minimum rate is too slow, even if it was fast at first")
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 10", "5, 1", "400, 1", "400, 1000", "400, 20000", "490, 3000"})
  void aClientBelowTheRateIsTooSlowEvenIfItWasFastAtFirst(long bytes, long step) {
    long burst = 4 << 20; // fills the buffers of both systems
    int after = closedAfter(400, millis -> burst + bytes * millis / 1000 / step * step);
    assertTrue(after <= 30 + 4 * step / bytes, after + " s");
  }

  @ParameterizedTest
  @CsvSource({"501, 1", "1000, 1", "1000, 8192", "1000, 50000", "5000, 200000", "100000, 1000000"})
  void aClientAboveTheRateIsNotTooSlowHoweverLargeTheSteps(long bytes, long step) {
    assertEquals(NEVER, closedAfter(2000, millis -> bytes * millis / 1000 / step * step));
  }

  @Test
  void aClientThatPausesIsNotTooSlow() {
    assertEquals(
        NEVER, // a pause of 50 s after 20 s of reading, and few bytes in the first step
        closedAfter(
            2000,
            millis ->
                2000 * (millis / 70_000 * 20_000 + Math.min(20_000, millis % 70_000)) / 1000));
  }

  @Test
  void earlierSpeedGivesNoCredit() {
    long fast = 1L << 40;
    int after =
        closedAfter(200, millis -> millis < 60_000 ? fast / 60_000 * millis : fast + millis / 10);
    assertTrue(after < 100, after + " s");
  }

  @Test
  void timeWithoutWaitingBytesDoesNotCount() {
    for (long second = 0; second < 1000; second++) {
      long now = TimeUnit.SECONDS.toNanos(second);
      boolean waits = second % 10 == 0; // an event every 10 s, which is soon sent
      assertEquals(false, rate.isTooSlow(now, 10 * (second / 10), waits, LEAST));
    }
  }

  @Test
  void noRateIsTooLowWithoutALimit() {
    for (long second = 0; second < 1000; second++) {
      long now = TimeUnit.SECONDS.toNanos(second);
      assertEquals(false, rate.isTooSlow(now, second / 10, true, 0));
    }
  }
}
