package dev.percolate.nio.protocol;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A queue of requests of all connections that wait for a free slot, in order. Thread-safe. */
public final class SlotQueue {

  private final IntSupplier free;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger given = new AtomicInteger();

  /**
   * Creates the queue of a server.
   *
   * @param free returns the number of slots not in use, including reserved ones
   */
  public SlotQueue(IntSupplier free) {
    this.free = free;
  }

  /** Returns the number of slots that are neither in use nor reserved. */
  public int left() {
    return free.getAsInt() - given.get();
  }

  /**
   * Waits for a free slot, in the order of the calls. The slot stays reserved until {@link #over},
   * which the caller must call even if it does not use the slot.
   *
   * @param turn called on any thread when a slot is reserved for the caller
   */
  public void await(Runnable turn) {
    waiting.add(turn);
    give();
  }

  /** Releases a reserved slot. */
  public void over() {
    given.decrementAndGet();
    give();
  }

  /** Assigns free slots to waiting requests. Must be called when a slot becomes free. */
  public void give() {
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
