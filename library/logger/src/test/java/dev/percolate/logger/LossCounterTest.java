package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossCounterTest {

  private long now = Long.MAX_VALUE - 5; // the ticker may well overflow
  private final List<String> reports = new ArrayList<>();
  private final List<Runnable> timers = new ArrayList<>();
  private final LossCounter alarm =
      new LossCounter(() -> now, (message, cause) -> reports.add(message), timers::add);

  @Test
  void warnsAtOnceThenOnceAMinuteWithTheCount() {
    alarm.raise(1, "full", null);
    alarm.raise(2, "full", null);
    now += 59_999_999_999L;
    alarm.raise(3, "full", null);
    assertEquals(List.of("full; lines lost so far: 1"), reports);
    now += 1;
    alarm.raise(4, "full", null);
    assertEquals("full; lines lost so far: 10", reports.get(1));
    assertEquals(10, alarm.lost());
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
    alarm.raise(2, "no directory", null);
    alarm.raise(118, "no directory", null);
    alarm.written();
    alarm.written();
    assertEquals(
        List.of(
            "no directory; lines lost so far: 2",
            "log lines are written again; lines lost so far: 120"),
        reports);
  }

  @Test
  void theTotalFollowsWhenTheLogIsClosed() {
    alarm.raise(1, "full", null);
    alarm.raise(6, "full", null);
    alarm.closed();
    alarm.closed();
    assertEquals(
        List.of("full; lines lost so far: 1", "the log is closed; lines lost so far: 7"), reports);
  }

  @Test
  void theTotalFollowsAfterAMinuteWithoutFurtherLines() {
    alarm.raise(1, "full", null);
    alarm.raise(1, "full", null);
    alarm.raise(1, "full", null);
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
    alarm.raise(1, "full", null);
    alarm.raise(1, "full", null);
    timers.remove(0).run();
    assertEquals(1, reports.size());
    assertEquals(1, timers.size());
  }

  @Test
  void aTargetThatFailsNowAndThenIsReportedTwiceAMinuteAtMost() {
    for (int i = 0; i < 100; i++) {
      alarm.raise(1, "broken", null);
      alarm.raise(1, "broken", null);
      alarm.written();
    }
    assertEquals(2, reports.size());
    alarm.closed();
    assertEquals("the log is closed; lines lost so far: 200", reports.get(2));
  }

  @Test
  void failuresWithoutLostLinesAreReportedOnce() {
    alarm.raise(0, "rotating failed", null);
    alarm.raise(0, "rotating failed", null);
    alarm.written();
    alarm.closed();
    assertEquals(List.of("rotating failed; lines lost so far: 0"), reports);
    assertEquals(List.of(), timers);
  }
}
