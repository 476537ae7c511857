package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossCounterTest {

  private long now = Long.MAX_VALUE - 5; // the ticker may overflow
  private final List<String> reports = new ArrayList<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final LossCounter counter =
      new LossCounter(() -> now, (message, cause) -> reports.add(message), timers::add);

  @Test
  void warnsAtOnceThenOnceAMinuteWithTheCount() {
    counter.raise(1, "full", null);
    counter.raise(2, "full", null);
    now += 59_999_999_999L;
    counter.raise(3, "full", null);
    assertEquals(List.of("full; lines lost so far: 1"), reports);
    now += 1;
    counter.raise(4, "full", null);
    assertEquals("full; lines lost so far: 10", reports.get(1));
    assertEquals(10, counter.lost());
  }

  @Test
  void aFailingReportIsIgnored() {
    LossCounter broken =
        new LossCounter(
            () -> now,
            (message, cause) -> {
              throw new IllegalStateException("no log");
            },
            timers::add);
    broken.raise(1, "full", null);
    assertEquals(1, broken.lost());
  }

  @Test
  void theTotalFollowsWhenLinesAreWrittenAgain() {
    counter.raise(2, "no directory", null);
    counter.raise(118, "no directory", null);
    counter.written();
    counter.written();
    assertEquals(
        List.of(
            "no directory; lines lost so far: 2",
            "log lines are written again; lines lost so far: 120"),
        reports);
  }

  @Test
  void theTotalFollowsWhenTheLogIsClosed() {
    counter.raise(1, "full", null);
    counter.raise(6, "full", null);
    counter.closed();
    counter.closed();
    assertEquals(
        List.of("full; lines lost so far: 1", "the log is closed; lines lost so far: 7"), reports);
  }

  @Test
  void theTotalFollowsAfterAMinuteWithoutFurtherLines() {
    counter.raise(1, "full", null);
    counter.raise(1, "full", null);
    counter.raise(1, "full", null);
    assertEquals(1, timers.size());
    now += 60_000_000_000L;
    timers.remove(0).run();
    assertEquals(
        List.of("full; lines lost so far: 1", "log lines were lost; lines lost so far: 3"),
        reports);
    assertEquals(List.of(), timers);
  }

  @Test
  void aTimerThatComesTooEarlyIsSetAgain() {
    counter.raise(1, "full", null);
    counter.raise(1, "full", null);
    timers.remove(0).run();
    assertEquals(1, reports.size());
    assertEquals(1, timers.size());
  }

  @Test
  void aTargetThatFailsNowAndThenIsReportedTwiceAMinuteAtMost() {
    for (int i = 0; i < 100; i++) {
      counter.raise(1, "broken", null);
      counter.raise(1, "broken", null);
      counter.written();
    }
    assertEquals(2, reports.size());
    counter.closed();
    assertEquals("the log is closed; lines lost so far: 200", reports.get(2));
  }

  @Test
  void failuresWithoutLostLinesAreReportedOnce() {
    counter.raise(0, "rotating failed", null);
    counter.raise(0, "rotating failed", null);
    counter.written();
    counter.closed();
    assertEquals(List.of("rotating failed; lines lost so far: 0"), reports);
    assertEquals(List.of(), timers);
  }
}
