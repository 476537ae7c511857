package dev.percolate.checks;

import dev.percolate.core.store.TopicBus;
import java.util.function.Consumer;

/** A bus that fails. */
record ThrowingBus(Fault fault) implements TopicBus {

  @Override
  public long publish(String topic, String json, int keep) {
    return fault.<Long>raise();
  }

  @Override
  public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer) {
    return fault.raise();
  }
}
