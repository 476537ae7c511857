package dev.percolate.logger;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The room for lines that wait: for so many, and for 512 times as many characters. */
final class QueueBudget {

  /** The load counts a line as this, plus one for each of its characters. */
  private static final long LINE = 1L << 40;

  private static final int CHARS_PER_LINE = 512;
  private static final long PAUSE_NANOS = 50_000;

  private final int lines;
  private final AtomicLong load = new AtomicLong();

  QueueBudget(int lines) {
    this.lines = lines;
  }

  /** Returns the characters that a line takes room of, used or not. */
  static int weight(CharSequence line) {
    return line instanceof StringBuilder builder ? builder.capacity() : line.length();
  }

  /**
   * Takes the room of a line.
   *
   * @param patience how many nanoseconds to wait for it
   * @return false if there is none
   */
  boolean take(CharSequence line, long patience) {
    long weight = LINE + weight(line);
    if (fits(load.addAndGet(weight))) {
      return true;
    }
    load.addAndGet(-weight);
    long deadline = System.nanoTime() + patience;
    while (patience > 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (fits(load.addAndGet(weight))) {
        return true;
      }
      load.addAndGet(-weight);
    }
    return false;
  }

  /** Gives back the room of lines, and of their characters. */
  void free(int count, int chars) {
    load.addAndGet(-(LINE * count + chars));
  }

  /** Tells whether a load is within the bounds; a line alone always is, however long. */
  private boolean fits(long load) {
    long waiting = load / LINE;
    return waiting <= 1 || (waiting <= lines && load % LINE <= (long) lines * CHARS_PER_LINE);
  }
}
