package dev.percolate.middleware.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.percolate.middleware.store.StoreFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests the order in which a subscription ends and the next one begins. */
final class TopicSubscriptionTest {

  private final List<BooleanSupplier> ended = new ArrayList<>();
  private final List<Boolean> endedBefore = new ArrayList<>();

  private final TopicSubscription subscription =
      new TopicSubscription(
          this::open, (time, task) -> () -> {}, new StoreFailures("the topic bus", text -> {}));

  private AutoCloseable open(BooleanSupplier over) {
    ended.add(over);
    return () -> endedBefore.add(over.getAsBoolean());
  }

  @Test
  void aSubscriptionIsMarkedAsEndedBeforeItIsClosed() throws Exception {
    subscription.enter();
    assertFalse(ended.get(0).getAsBoolean());
    subscription.close();
    assertEquals(List.of(true), endedBefore);
    subscription.enter();
    assertFalse(ended.get(1).getAsBoolean());
  }
}
