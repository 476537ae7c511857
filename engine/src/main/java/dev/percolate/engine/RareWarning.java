package dev.percolate.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps warnings that clients can cause at will to one a minute: the first goes out at once.
 *
 * <pre>{@code
 * if (warning.isDue()) {
 *   LOG.log(Level.WARNING, "…");
 * }
 * }</pre>
 */
public final class RareWarning {

  private static final long MINUTE = 60_000_000_000L;

  private final LongSupplier clock;
  private final AtomicLong due;

  /** Creates a warning by the clock of the JVM. */
  public RareWarning() {
    this(System::nanoTime);
  }

  /**
   * Creates a warning by another clock.
   *
   * @param clock gives nanoseconds, as {@link System#nanoTime} does
   */
  public RareWarning(LongSupplier clock) {
    this.clock = clock;
    this.due = new AtomicLong(clock.getAsLong());
  }

  /** Tells one of the threads that ask whether to warn now; the next one is due in a minute. */
  public boolean isDue() {
    long now = clock.getAsLong();
    long then = due.get();
    return now - then >= 0 && due.compareAndSet(then, now + MINUTE);
  }
}
