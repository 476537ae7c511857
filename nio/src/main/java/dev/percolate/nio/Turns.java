package dev.percolate.nio;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Whose turn it is when requests of all connections wait for places: who has waited for longest.
 * From any thread.
 */
final class Turns {

  private final IntSupplier free;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger given = new AtomicInteger();

  /**
   * Creates turns for the places of a server.
   *
   * @param free tells how many have not been taken, those that are kept for turns among them
   */
  Turns(IntSupplier free) {
    this.free = free;
  }

  /** Returns how many places are free and kept for nobody. */
  int left() {
    return free.getAsInt() - given.get();
  }

  /** Has one called when it is its turn, for which a place is kept until {@link #over}. */
  void await(Runnable turn) {
    waiting.add(turn);
    give();
  }

  /** Notes that a place that was kept is no longer. */
  void over() {
    given.decrementAndGet();
    give();
  }

  /** Gives turns while there are places for them; to be called when one has become free. */
  void give() {
    while (!waiting.isEmpty()) {
      int now = given.get();
      if (free.getAsInt() <= now) {
        return;
      }
      if (given.compareAndSet(now, now + 1)) {
        Runnable next = waiting.poll();
        if (next == null) {
          given.decrementAndGet(); // another thread has given it
        } else {
          next.run();
        }
      }
    }
  }
}
