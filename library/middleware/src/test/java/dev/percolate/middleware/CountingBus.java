package dev.percolate.middleware;

import dev.percolate.core.store.TopicBus;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Counts the calls of a bus, and can hang or fail like an unreachable server. */
final class CountingBus implements TopicBus {

  final AtomicInteger subscribed = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  private final TopicBus bus;
  private volatile long hangs = -1;

  CountingBus(TopicBus bus) {
    this.bus = bus;
  }

  /** Makes all calls fail after a time, in milliseconds; a negative value for no failure. */
  void hang(long millis) {
    hangs = millis;
  }

  @Override
  public long publish(String topic, String json, int keep) throws IOException {
    failOrGoOn();
    return bus.publish(topic, json, keep);
  }

  @Override
  public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
      throws IOException {
    subscribed.incrementAndGet();
    failOrGoOn();
    AutoCloseable subscription = bus.subscribe(topic, since, consumer);
    open.incrementAndGet();
    return () -> {
      open.decrementAndGet();
      subscription.close();
    };
  }

  private void failOrGoOn() throws IOException {
    long millis = hangs;
    if (millis >= 0) {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("the bus does not answer", new IOException("connection refused"));
    }
  }
}
