package dev.percolate.middleware.overload;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Starts requests up to a limit. Further requests wait for a limited time, by priority. Of several
 * with the same priority, the newest starts first (LIFO): under overload the oldest is about to be
 * rejected anyway, and its client may have given up. Thread-safe; never blocks.
 */
public final class AdmissionQueue {

  /** A request. */
  public static final class Entry {

    private final int rank;
    private final Runnable run;
    private final Runnable reject;
    private boolean waits;
    private boolean runs;
    private long started;

    /**
     * Creates a request.
     *
     * @param rank its priority: 0 for the highest, 1, or 2
     * @param run starts the request; must not block if it has waited
     * @param reject rejects the request; must not block
     */
    public Entry(int rank, Runnable run, Runnable reject) {
      this.rank = rank;
      this.run = run;
      this.reject = reject;
    }
  }

  private final LongSupplier clock;
  private final BiFunction<Duration, Runnable, ?> timer;
  private final long maxWait;
  private final ConcurrencyLimit limit;
  private final List<Deque<Entry>> queues =
      List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
  private int running;
  private long rejected;

  /**
   * Creates an empty queue.
   *
   * @param timer runs a task after a delay, on a thread of its own
   * @param maxWait how long a request of rank 1 waits; rank 0 waits twice as long, rank 2 half as
   *     long
   * @param most the maximum number of running requests; 0 to adapt it
   */
  public AdmissionQueue(
      LongSupplier clock, BiFunction<Duration, Runnable, ?> timer, Duration maxWait, int most) {
    this.clock = clock;
    this.timer = timer;
    this.maxWait = maxWait.toNanos();
    this.limit = new ConcurrencyLimit(most, clock.getAsLong());
  }

  /**
   * Adds a request, and starts or rejects it now or later.
   *
   * @param waited how long it has waited for a thread, in nanoseconds
   */
  public void enter(Entry entry, long waited) {
    long left = (maxWait << 1 >> entry.rank) - waited;
    boolean starts;
    synchronized (this) {
      starts = left > 0 && running < room(entry);
      if (starts) {
        start(entry);
      } else if (left > 0) {
        limit.waits(clock.getAsLong());
        entry.waits = true;
        queues.get(entry.rank).addLast(entry);
      } else {
        rejected++;
      }
    }
    if (starts) {
      entry.run.run();
    } else if (left > 0) {
      Object ignored = timer.apply(Duration.ofNanos(left), () -> expire(entry));
    } else {
      entry.reject.run();
    }
  }

  private void expire(Entry entry) {
    synchronized (this) {
      if (!stopsWaiting(entry)) {
        return;
      }
      rejected++;
    }
    entry.reject.run();
  }

  /** Removes a request: its response starts, or its client has disconnected. May be repeated. */
  public synchronized void leave(Entry entry) {
    boolean ignored = stopsWaiting(entry);
    if (entry.runs) {
      entry.runs = false;
      running--;
      limit.ended(entry.started, clock.getAsLong());
    }
    for (Deque<Entry> queue : queues) {
      while (!queue.isEmpty() && running < room(queue.getLast())) {
        Entry next = queue.removeLast();
        next.waits = false;
        start(next);
        // not here: an event loop could run its handler within the response of another request
        Object unused = timer.apply(Duration.ZERO, next.run);
      }
    }
  }

  /** Removes a request from its queue, and returns true if it was there. */
  private boolean stopsWaiting(Entry entry) {
    if (!entry.waits) {
      return false;
    }
    entry.waits = false;
    return queues.get(entry.rank).removeFirstOccurrence(entry);
  }

  /** Returns the number of running requests. */
  public synchronized int running() {
    return running;
  }

  /** Returns the number of waiting requests. */
  public synchronized int waiting() {
    return queues.stream().mapToInt(Deque::size).sum();
  }

  /** Returns the number of rejected requests. */
  public synchronized long rejected() {
    return rejected;
  }

  private void start(Entry entry) {
    entry.runs = true;
    entry.started = clock.getAsLong();
    running++;
  }

  /** The lowest rank leaves a quarter of the limit to the others. */
  private int room(Entry entry) {
    return entry.rank < 2 ? limit.limit() : (3 * limit.limit() + 3) / 4;
  }
}
