package dev.percolate.middleware;

import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.Callbacks;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Carries messages of topics within this process.
 *
 * <p>Messages are lost when the process ends. Ids are based on the time in microseconds, so that
 * ids of an earlier process differ from those of this one. Since clients may choose topic names,
 * only the 10,000 most recently used topics without listeners keep their messages.
 */
public final class MemoryTopics implements TopicBus {

  /**
   * The maximum number of topics without listeners that keep messages; the least recently used
   * topic is removed first.
   */
  static final int MOST_UNUSED = 10_000;

  private static final long MICROS = 1000;

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by {@link #lock}. */
  private final Map<String, Topic> topics = new HashMap<>();

  /** Topics without listeners that keep messages, least recently used first. */
  private final Set<String> unused = new LinkedHashSet<>();

  /**
   * Messages in delivery, so that a message that a consumer sends is delivered after the current
   * one.
   */
  private final Queue<Runnable> due = new ArrayDeque<>();

  private boolean carrying;

  /** The messages of a topic, and its consumers. */
  private static final class Topic {

    final Deque<Message> kept = new ArrayDeque<>();
    final List<Consumer<? super Message>> consumers = new ArrayList<>();
    long last;
  }

  MemoryTopics(InstantSource clock) {
    this.clock = clock;
  }

  /** Creates a bus without topics. */
  public static MemoryTopics of() {
    return new MemoryTopics(InstantSource.system());
  }

  @Override
  public long micros() {
    return clock.millis() * MICROS;
  }

  @Override
  public long publish(String topic, String json, int keep) {
    lock.lock();
    try {
      Topic known = topics.computeIfAbsent(topic, name -> new Topic());
      known.last = Math.max(known.last + 1, clock.millis() * MICROS);
      Message message = new Message(known.last, json);
      known.kept.add(message);
      while (known.kept.size() > keep) {
        known.kept.remove();
      }
      carry(() -> List.copyOf(known.consumers).forEach(consumer -> consumer.accept(message)));
      forgetIfUnused(topic, known);
      return message.id();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer) {
    // The same consumer may subscribe twice, so each subscription has its own object.
    Consumer<Message> own =
        message -> Callbacks.accept("a subscriber of a topic", consumer, message);
    lock.lock();
    try {
      Topic known = topics.computeIfAbsent(topic, name -> new Topic());
      long from = since > known.last ? 0 : since;
      known.kept.stream().filter(message -> message.id() > from).forEach(own);
      known.consumers.add(own);
      unused.remove(topic);
    } finally {
      lock.unlock();
    }
    return () -> leave(topic, own);
  }

  private void leave(String topic, Consumer<Message> consumer) {
    lock.lock();
    try {
      Topic known = topics.get(topic);
      if (known != null) {
        known.consumers.remove(consumer);
        forgetIfUnused(topic, known);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Limits the memory of topics without listeners, since clients may choose topic names. */
  private void forgetIfUnused(String topic, Topic known) {
    unused.remove(topic);
    if (!known.consumers.isEmpty()) {
      return;
    }
    if (known.kept.isEmpty()) {
      topics.remove(topic);
      return;
    }
    unused.add(topic);
    if (unused.size() > MOST_UNUSED) {
      String oldest = unused.iterator().next();
      unused.remove(oldest);
      topics.remove(oldest);
    }
  }

  /** Returns the number of topics. */
  int size() {
    lock.lock();
    try {
      return topics.size();
    } finally {
      lock.unlock();
    }
  }

  /** Delivers a message after all earlier ones. */
  private void carry(Runnable message) {
    due.add(message);
    if (carrying) {
      return;
    }
    carrying = true;
    try {
      for (Runnable next = due.poll(); next != null; next = due.poll()) {
        next.run();
      }
    } finally {
      carrying = false;
    }
  }
}
