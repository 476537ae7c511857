package dev.percolate.nio.loop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a client sends or takes bytes too slowly: it moves none for too long or, once the
 * server has waited for 5 seconds in all, too few per second on average. Time counts only while the
 * server waits for the client, and between two checks at most {@link Progress#LATE}: after a longer
 * time the server was slow, for example because of a garbage collection.
 *
 * <p>Times are those of {@link System#nanoTime}. Not thread-safe.
 */
public final class SlowClientMeter {

  /** How long the server must have waited before the rate counts, in nanoseconds. */
  private static final long GRACE = TimeUnit.SECONDS.toNanos(5);

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private long lookedAt;
  private boolean waiting;
  private long moved;

  /** How long the server has waited, in nanoseconds. */
  private long waited;

  /** How long it has waited since the last bytes, in nanoseconds. */
  private long still;

  /** Creates a meter for a client for which the server does not wait yet. */
  public SlowClientMeter() {}

  /**
   * Updates the times. Must be called when the server begins or stops waiting.
   *
   * @param total the number of bytes that the client has moved so far
   * @param waits whether the server waits for the client from now on
   */
  public void look(long now, long total, boolean waits) {
    long passed = waiting ? Math.min(now - lookedAt, Progress.LATE) : 0;
    waited += passed;
    still = waits && total == moved ? still + passed : 0;
    moved = total;
    lookedAt = now;
    waiting = waits;
  }

  /**
   * Updates the times, as {@link #look} does, and returns true if the client is too slow. Must be
   * called periodically.
   *
   * @param longest the longest time without bytes
   * @param leastRate the lowest average rate, in bytes per second
   */
  public boolean isTooSlow(long now, long total, boolean waits, Duration longest, int leastRate) {
    look(now, total, waits);
    return still > longest.toNanos()
        || (waits && waited > GRACE && total < leastRate * (waited / SECOND));
  }
}
