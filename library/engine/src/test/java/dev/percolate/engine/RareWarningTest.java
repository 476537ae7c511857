package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RareWarningTest {

  private long now = Long.MAX_VALUE - 5; // the clock of a JVM may overflow

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void theFirstWarningIsDueImmediatelyAndTheNextInAMinute() {
    RareWarning warning = new RareWarning(() -> now);
    assertTrue(warning.isDue());
    assertFalse(warning.isDue());
    pass(Duration.ofSeconds(59));
    assertFalse(warning.isDue());
    pass(Duration.ofSeconds(1));
    assertTrue(warning.isDue());
    assertFalse(warning.isDue());
  }

  @Test
  void omittedWarningsDoNotDelayTheNext() {
    RareWarning warning = new RareWarning(() -> now);
    assertTrue(warning.isDue());
    for (int i = 0; i < 60; i++) {
      assertFalse(warning.isDue());
      pass(Duration.ofSeconds(1));
    }
    assertTrue(warning.isDue());
  }
}
