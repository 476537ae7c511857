package dev.percolate.middleware;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one client, of many that get the same, what is offered: in order, and never waiting.
 *
 * @param <F> what is written
 */
final class OfferQueue<F> {

  /** How many bytes may wait for one of many clients. */
  static final long MOST_WAITING = 1 << 20;

  /** How many bytes make those wait who send to many clients, if they may wait. */
  private static final long HIGH_WATER = 64 << 10;

  /** How long they wait for all clients together. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(1);

  private final Writer<F> writer;
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicInteger due = new AtomicInteger();

  /** What is written elsewhere, one after the other; null where writing does not wait. */
  private final @Nullable Queue<Runnable> queue;

  /**
   * Writes one thing.
   *
   * @param <F> what is written
   */
  @FunctionalInterface
  interface Writer<F> {

    /**
     * Writes.
     *
     * @param what what is written
     * @param done is called once, when the client has taken it, or never will
     */
    void write(F what, Runnable done);
  }

  /**
   * Creates a queue.
   *
   * @param blocks whether writing waits on its thread, so that it needs another one
   */
  OfferQueue(boolean blocks, Writer<F> writer) {
    this.writer = writer;
    this.queue = blocks ? new ConcurrentLinkedQueue<>() : null;
  }

  /**
   * Writes something now or later.
   *
   * @param size how many bytes it has
   * @param most how many bytes may wait; one thing alone always may
   * @return false if more would wait; it is not written then
   */
  boolean offer(F what, int size, long most) {
    long all = waiting.addAndGet(size);
    if (all > most && all > size) {
      waiting.addAndGet(-size);
      return false;
    }
    Runnable write = () -> writer.write(what, () -> waiting.addAndGet(-size));
    if (queue == null) {
      write.run();
    } else {
      queue.add(write);
      if (due.getAndIncrement() == 0) {
        SocketThreads.execute(() -> writeAll(queue));
      }
    }
    return true;
  }

  /** Returns until when those wait, by {@link System#nanoTime}, who begin to send to many now. */
  static long deadline() {
    return System.nanoTime() + PATIENCE;
  }

  /**
   * Waits on a thread that may wait until the client has taken most of what was offered.
   *
   * @param end until when, by {@link System#nanoTime}
   * @return false if it takes longer
   */
  boolean awaitRoom(long end) {
    while (waiting.get() > HIGH_WATER && SocketThreads.mayWait()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN);
    }
    return true;
  }

  private void writeAll(Queue<Runnable> all) {
    do {
      Runnable write = all.poll();
      if (write != null) {
        write.run();
      }
    } while (due.decrementAndGet() > 0);
  }
}
