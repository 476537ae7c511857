package dev.percolate.nio.loop;

import dev.percolate.engine.ListenOptions;

/**
 * Checks that a client sends a body fast enough: no gap is too long and, after some time, no rate
 * too low. Time counts only while a handler waits for the body.
 *
 * <p>Times are those of {@link System#nanoTime}. Not thread-safe.
 */
public final class BodyRate {

  /** How long a body may take before its rate counts, in nanoseconds. */
  private static final long GRACE = 5_000_000_000L;

  /** The maximum gap while other bodies wait for the memory of this one, in nanoseconds. */
  private static final long CROWDED = 5_000_000_000L;

  private static final double SECOND = 1e9;

  private long begun;
  private long heard;
  private long received;
  private long pausedAt;

  public BodyRate(long now) {
    begun = now;
    heard = now;
  }

  public void received(int bytes, long now) {
    received += bytes;
    heard = now;
  }

  public void paused(long now) {
    pausedAt = now;
  }

  public void resumed(long now) {
    begun += now - pausedAt;
    heard = now;
  }

  /**
   * Returns true if the client is too slow. Must not be called while the body is paused.
   *
   * @param crowded whether other bodies wait for the memory of this one
   */
  public boolean isTooSlow(long now, ListenOptions options, boolean crowded) {
    long taken = now - begun;
    long gap = options.bodyTimeout().toNanos();
    return now - heard > (crowded ? Math.min(gap, CROWDED) : gap)
        || (taken > GRACE && received < options.minBodyRate() * (taken / SECOND));
  }
}
