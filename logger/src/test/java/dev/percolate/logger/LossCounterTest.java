package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossCounterTest {

  private long now = Long.MAX_VALUE - 5; // the ticker may well overflow
  private final List<String> reports = new ArrayList<>();
  private final LossCounter alarm =
      new LossCounter(() -> now, (message, cause) -> reports.add(message));

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
  void aFailingReportIsNobodysTrouble() {
    LossCounter broken =
        new LossCounter(
            () -> now,
            (message, cause) -> {
              throw new IllegalStateException("no log");
            });
    broken.raise(1, "full", null);
    assertEquals(1, broken.lost());
  }
}
