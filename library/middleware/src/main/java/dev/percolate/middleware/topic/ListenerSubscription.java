package dev.percolate.middleware.topic;

import dev.percolate.engine.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One listener of a topic. If its client is not connected yet, messages are kept until then. So it
 * receives all messages that are sent after it has connected. Callers hold the lock of the topic,
 * except for {@link #leave} and {@link #listener}.
 */
public final class ListenerSubscription {

  private final String topic;
  private final long number;
  private volatile @Nullable TopicListener listener;
  private final AtomicBoolean left = new AtomicBoolean();

  /** The id that has not arrived here yet and after which the listener begins; 0 for none. */
  private long awaited;

  /** True until it is known whether the bus knows that id. */
  private boolean inQuestion;

  /** Messages that arrived in the meantime. */
  private List<TopicEntry> held = new ArrayList<>(0);

  private long size;

  /** Messages for a client that is not connected yet. */
  private final List<TopicEntry> early = new ArrayList<>(0);

  private long earlySize;
  private boolean dropped;

  /**
   * Creates a place.
   *
   * @param number the position among the listeners of the topic
   */
  ListenerSubscription(String topic, long number, @Nullable TopicListener listener) {
    this.topic = topic;
    this.number = number;
    this.listener = listener;
  }

  long number() {
    return number;
  }

  /** Returns the listener; null if its client is not connected yet. */
  @Nullable TopicListener listener() {
    return listener;
  }

  /** Connects the client: it gets the kept messages. Returns true if it is too slow for them. */
  boolean open(TopicListener client) {
    listener = client;
    give(early);
    early.clear();
    return dropped;
  }

  /** Returns the listener to disconnect; null to disconnect it once its client is connected. */
  @Nullable TopicListener drop() {
    dropped = true;
    return listener;
  }

  /** Leaves; returns true if this was the first call. */
  boolean leave() {
    return left.compareAndSet(false, true);
  }

  boolean isLeft() {
    return left.get();
  }

  /** Starts after an id that has not arrived here yet, if the bus knows it. */
  void awaits(long id) {
    awaited = id;
    inQuestion = true;
  }

  boolean isInQuestion() {
    return inQuestion;
  }

  /** Delivers a bounded number of entries, regardless of the number of queued bytes. */
  void give(List<TopicEntry> entries) {
    for (TopicEntry entry : entries) {
      boolean ignored = offer(entry, Long.MAX_VALUE);
    }
  }

  /**
   * Handles an entry that arrived.
   *
   * @param most the maximum number of queued bytes
   * @return false if the queue would be longer
   */
  boolean take(TopicEntry entry, long most) {
    if (entry.id() > awaited) {
      arrived();
      return offer(entry, most);
    }
    if (inQuestion) {
      held.add(entry);
      size += entry.json().length();
      return size <= most || held.size() == 1;
    }
    return true; // the client has seen it
  }

  /**
   * Handles the response of the bus about the awaited id.
   *
   * @param newest the newest id of the bus
   * @param kept the messages in memory
   */
  void answer(long newest, List<TopicEntry> kept) {
    inQuestion = false;
    if (awaited <= newest) {
      held = new ArrayList<>(0);
      return; // messages have not arrived in this process yet
    }
    List<TopicEntry> since = held;
    long first = since.isEmpty() ? Long.MAX_VALUE : since.get(0).id();
    arrived();
    give(kept.stream().filter(entry -> entry.id() < first).toList());
    give(since);
  }

  /** Delivers an entry; if the listener throws, only this listener misses it. */
  private boolean offer(TopicEntry entry, long most) {
    TopicListener there = listener;
    if (there == null) {
      early.add(entry);
      earlySize += entry.json().length();
      return earlySize <= most || early.size() == 1;
    }
    try {
      return there.offer(entry, most);
    } catch (Throwable thrown) {
      Callbacks.failed("a subscriber of the topic " + topic, thrown);
      return true;
    }
  }

  private void arrived() {
    awaited = 0;
    inQuestion = false;
    held = new ArrayList<>(0);
  }
}
