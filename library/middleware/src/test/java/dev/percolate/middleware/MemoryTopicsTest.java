package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import dev.percolate.testkit.TopicBusContract;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class MemoryTopicsTest extends TopicBusContract {

  private final TopicBus bus = MemoryTopics.of();

  @Override
  protected TopicBus bus() {
    return bus;
  }

  @Override
  protected TopicBus other() {
    return bus;
  }

  @Test
  void idsAreGreaterThanThoseOfAnEarlierProcess() {
    Instant first = Instant.parse("2030-01-01T00:00:00Z");
    long last = 0;
    TopicBus before = new MemoryTopics(() -> first);
    for (int i = 0; i < 100; i++) {
      last = publish(before);
    }
    assertTrue(publish(new MemoryTopics(() -> first.plusMillis(1))) > last);
    TopicBus back = new MemoryTopics(() -> Instant.EPOCH);
    assertEquals(publish(back) + 1, publish(back));
  }

  private static long publish(TopicBus to) {
    return ((MemoryTopics) to).publish("t", "1", 1);
  }
}
