package dev.percolate.middleware;

import dev.percolate.engine.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** One listener among those of a topic; all but {@link #leave} is guarded by their lock. */
final class TopicPlace {

  private final TopicListener listener;
  private final AtomicBoolean left = new AtomicBoolean();

  /** The id that has not come here yet and after which the listener begins; 0 for none. */
  private long awaited;

  /** Whether the bus has yet to tell if it knows that id. */
  private boolean inQuestion;

  /** What has come meanwhile. */
  private List<TopicEntry> held = new ArrayList<>(0);

  private long size;

  TopicPlace(TopicListener listener) {
    this.listener = listener;
  }

  TopicListener listener() {
    return listener;
  }

  /** Leaves; returns true if this was the first call. */
  boolean leave() {
    return left.compareAndSet(false, true);
  }

  boolean isLeft() {
    return left.get();
  }

  /** Begins after an id that has not come here yet, if the bus knows it. */
  void awaits(long id) {
    awaited = id;
    inQuestion = true;
  }

  boolean isInQuestion() {
    return inQuestion;
  }

  /** Passes on entries of a bounded number, however many bytes wait. */
  void give(List<TopicEntry> entries) {
    for (TopicEntry entry : entries) {
      boolean ignored = offer(entry, Long.MAX_VALUE);
    }
  }

  /**
   * Takes an entry that has come.
   *
   * @param most how many bytes may wait
   * @return false if more would
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
   * Learns whether the bus knows the awaited id.
   *
   * @param newest the newest id of the bus
   * @param kept what is kept here
   */
  void answer(long newest, List<TopicEntry> kept) {
    inQuestion = false;
    if (awaited <= newest) {
      held = new ArrayList<>(0);
      return; // this process is behind
    }
    List<TopicEntry> since = held;
    long first = since.isEmpty() ? Long.MAX_VALUE : since.get(0).id();
    arrived();
    give(kept.stream().filter(entry -> entry.id() < first).toList());
    give(since);
  }

  /** Passes an entry on; a listener that throws misses it, and the others do not. */
  private boolean offer(TopicEntry entry, long most) {
    try {
      return listener.offer(entry, most);
    } catch (Throwable thrown) {
      Callbacks.failed("a subscriber of a topic", thrown);
      return true;
    }
  }

  private void arrived() {
    awaited = 0;
    inQuestion = false;
    held = new ArrayList<>(0);
  }
}
