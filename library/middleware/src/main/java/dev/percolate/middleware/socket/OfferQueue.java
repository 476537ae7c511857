package dev.percolate.middleware.socket;

import dev.percolate.core.WriteGate;
import dev.percolate.engine.Exchange;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one of many clients that receive the same data: in order, and without blocking.
 *
 * @param <F> the type of the data
 */
public final class OfferQueue<F> {

  /** The maximum number of bytes that wait for one of many clients. */
  public static final long MOST_WAITING = 1 << 20;

  /** How long a sender blocks for all clients together. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

  private final BiConsumer<F, Runnable> writer;
  private final WriteGate gate = new WriteGate(Exchange::park);
  private final AtomicInteger due = new AtomicInteger();

  /** Data that another thread writes in order; null if writing does not block. */
  private final @Nullable Queue<Runnable> queue;

  /**
   * Creates a queue.
   *
   * @param blocks whether writing blocks its thread, and therefore needs another one
   * @param writer writes data, and runs a task once, when the data is sent or cannot be sent
   */
  public OfferQueue(boolean blocks, BiConsumer<F, Runnable> writer) {
    this.writer = writer;
    this.queue = blocks ? new ConcurrentLinkedQueue<>() : null;
  }

  /**
   * Writes data now or later.
   *
   * @param size the number of bytes
   * @param most the maximum number of waiting bytes; if nothing waits, data of any size is accepted
   * @return false if the limit would be exceeded; then the data is not written
   */
  public boolean offer(F what, int size, long most) {
    long all = gate.passed(size);
    if (all > most && all > size) {
      done(size);
      return false;
    }
    Runnable write = () -> writer.accept(what, () -> done(size));
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

  /**
   * Returns the {@link System#nanoTime} until which a sender to many clients blocks, starting now.
   */
  public static long deadline() {
    return System.nanoTime() + PATIENCE;
  }

  /**
   * Blocks until most of the offered data is sent. Returns at once if the thread may not block.
   *
   * @param end the deadline, as {@link System#nanoTime}
   * @return false if it takes longer
   */
  public boolean awaitRoom(long end) {
    if (!gate.isHigh() || !SocketThreads.mayWait()) {
      return true;
    }
    long left = end - System.nanoTime();
    return left > 0 && gate.await(Duration.ofNanos(left));
  }

  /** Records that data is sent or cannot be sent. */
  private void done(int size) {
    if (gate.written(size, null)) {
      gate.wake();
    }
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
