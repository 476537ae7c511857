package dev.percolate.engine;

import dev.percolate.engine.BodyMemory.OnReserved;
import dev.percolate.engine.BodyMemory.Purpose;
import dev.percolate.engine.BodyMemory.Reservation;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues of bodies that wait for memory. Used under the lock of {@link BodyMemory}. */
final class WaitingBodies {

  /** The queues, in order of priority. */
  enum Queue {
    SMALL,
    PARSED,
    GROWING,
    MEDIUM,
    LARGE
  }

  private final Map<Queue, Set<Waiting>> queues = new EnumMap<>(Queue.class);

  WaitingBodies() {
    for (Queue queue : Queue.values()) {
      queues.put(queue, new LinkedHashSet<>());
    }
  }

  /** A waiting body. */
  static final class Waiting {

    private final Reservation reservation;
    private final long total;
    private final long most;
    private final Purpose purpose;
    private final OnReserved callback;
    private volatile @Nullable Runnable expiry;

    Waiting(Reservation reservation, long total, long most, Purpose purpose, OnReserved callback) {
      this.reservation = reservation;
      this.total = total;
      this.most = most;
      this.purpose = purpose;
      this.callback = callback;
    }

    Reservation reservation() {
      return reservation;
    }

    /** Sets the function that cancels the time limit. */
    void expiry(Runnable cancels) {
      expiry = cancels;
    }

    /** Cancels the time limit and calls the callback. Called without the lock. */
    void tell(boolean granted) {
      Runnable cancels = expiry;
      try {
        if (cancels != null) {
          cancels.run();
        }
        callback.decided(granted);
      } catch (Throwable thrown) {
        Callbacks.failed("callback of the body memory", thrown);
      }
    }
  }

  private Set<Waiting> queue(Queue queue) {
    return queues.getOrDefault(queue, Set.of());
  }

  boolean isEmpty(Queue queue) {
    return queue(queue).isEmpty();
  }

  /**
   * Returns true if a body may get memory before those that wait in its queue. Growing bodies have
   * memory, so they may ask in any order. Large bodies have none, and wait while a growing body
   * waits.
   */
  boolean mayPass(Queue queue) {
    return switch (queue) {
      case GROWING -> true;
      case LARGE -> isEmpty(Queue.LARGE) && isEmpty(Queue.GROWING);
      default -> isEmpty(queue);
    };
  }

  void add(Queue queue, Waiting waiting) {
    queue(queue).add(waiting);
  }

  boolean remove(Waiting waiting) {
    return queues.values().stream().anyMatch(queue -> queue.remove(waiting));
  }

  int size() {
    return queues.values().stream().mapToInt(Set::size).sum();
  }

  /** Grants memory to the waiting bodies that fit, and moves them to a list. */
  void grantTo(List<Waiting> granted) {
    int before;
    do { // repeat: a body that grows may let another one grow
      before = granted.size();
      for (Queue queue : Queue.values()) {
        if (queue != Queue.LARGE || isEmpty(Queue.GROWING)) {
          grant(queue, granted);
        }
      }
    } while (granted.size() > before);
  }

  /**
   * Grants memory in queue order. Growing bodies that do not fit are skipped, since the oldest one
   * may have been the last to ask.
   */
  private void grant(Queue queue, List<Waiting> granted) {
    for (Waiting one : List.copyOf(queue(queue))) {
      if (one.reservation.use().fitsWaiting(one.total, one.most, one.purpose)) {
        remove(one);
        granted.add(one);
      } else if (queue != Queue.GROWING) {
        return;
      }
    }
  }
}
