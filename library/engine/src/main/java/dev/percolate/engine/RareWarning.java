package dev.percolate.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits a warning that clients can cause at will to one per minute. The first is logged
 * immediately.
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

  /** Creates a warning that uses the clock of the JVM. */
  public RareWarning() {
    this(System::nanoTime);
  }

  /**
   * Creates a warning that uses another clock.
   *
   * @param clock returns nanoseconds, like {@link System#nanoTime}
   */
  public RareWarning(LongSupplier clock) {
    this.clock = clock;
    this.due = new AtomicLong(clock.getAsLong());
  }

  /** Returns true if the warning must be logged now; then returns false for a minute. */
  public boolean isDue() {
    long now = clock.getAsLong();
    long then = due.get();
    return now - then >= 0 && due.compareAndSet(then, now + MINUTE);
  }
}
