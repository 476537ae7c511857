package dev.percolate.logger;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The capacity of the queue: a number of lines, and 512 times as many characters. */
final class QueueBudget {

  /** The weight of a line in the load, plus one for each of its characters. */
  private static final long LINE = 1L << 40;

  private static final int CHARS_PER_LINE = 512;
  private static final long PAUSE_NANOS = 50_000;

  private final int lines;
  private final AtomicLong load = new AtomicLong();

  QueueBudget(int lines) {
    this.lines = lines;
  }

  /** Returns the size of a line in characters, including unused capacity. */
  static int weight(CharSequence line) {
    return line instanceof StringBuilder builder ? builder.capacity() : line.length();
  }

  /**
   * Reserves capacity for a line.
   *
   * @param patience how long to wait for capacity, in nanoseconds
   * @return false if the queue stays full
   */
  boolean take(CharSequence line, long patience) {
    long weight = LINE + weight(line);
    boolean taken = tryTake(weight);
    if (!taken && patience > 0) {
      long deadline = System.nanoTime() + patience;
      while (!taken
          && System.nanoTime() - deadline < 0
          && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
        taken = tryTake(weight);
      }
    }
    return taken;
  }

  private boolean tryTake(long weight) {
    boolean fits = fits(load.addAndGet(weight));
    if (!fits) {
      load.addAndGet(-weight);
    }
    return fits;
  }

  /** Returns true if half of the capacity is used, so that lines should not gather longer. */
  boolean isHalfFull() {
    long now = load.get();
    return 2 * (now / LINE) >= lines || 2 * (now % LINE) >= (long) lines * CHARS_PER_LINE;
  }

  /** Releases the capacity of lines and their characters. */
  void free(int count, int chars) {
    load.addAndGet(-(LINE * count + chars));
  }

  /** Returns whether a load is within the limits. A single line always is, whatever its length. */
  private boolean fits(long load) {
    long waiting = load / LINE;
    return waiting <= 1 || (waiting <= lines && load % LINE <= (long) lines * CHARS_PER_LINE);
  }
}
