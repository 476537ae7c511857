package dev.percolate.nio;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A queue of requests of all connections that wait for a free slot, in order. Thread-safe. */
final class Turns {

  private final IntSupplier free;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger given = new AtomicInteger();

  /**
   * Creates the queue of a server.
   *
   * @param free returns the number of slots not in use, including reserved ones
   */
  Turns(IntSupplier free) {
    this.free = free;
  }

  /** Returns the number of slots that are neither in use nor reserved. */
  int left() {
    return free.getAsInt() - given.get();
  }

  /** Calls a task when a slot is reserved for it. The slot stays reserved until {@link #over}. */
  void await(Runnable turn) {
    waiting.add(turn);
    give();
  }

  /** Releases a reserved slot. */
  void over() {
    given.decrementAndGet();
    give();
  }

  /** Assigns free slots to waiting requests. Must be called when a slot becomes free. */
  void give() {
    while (!waiting.isEmpty()) {
      int now = given.get();
      if (free.getAsInt() <= now) {
        return;
      }
      if (given.compareAndSet(now, now + 1)) {
        Runnable next = waiting.poll();
        if (next == null) {
          given.decrementAndGet(); // another thread has assigned it
        } else {
          next.run();
        }
      }
    }
  }
}
