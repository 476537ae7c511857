package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;

/**
 * Tells whether a client sends a body as fast as it must: no gap too long and, once the body has
 * had time to begin, no rate too low. While nobody waits for it, no time goes by.
 *
 * <p>Times are those of {@link System#nanoTime}. Not for several threads at once.
 */
public final class BodyRate {

  /** How long a body may take before its rate counts. */
  private static final long GRACE = 5_000_000_000L;

  /** How long a client may send nothing while others wait for the room that it has. */
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
   * Tells whether the client, which has not been asked to wait, is too slow.
   *
   * @param crowded whether others wait until this body is over
   */
  public boolean isTooSlow(long now, ListenOptions options, boolean crowded) {
    long taken = now - begun;
    long gap = options.bodyTimeout().toNanos();
    return now - heard > (crowded ? Math.min(gap, CROWDED) : gap)
        || (taken > GRACE && received < options.minBodyRate() * (taken / SECOND));
  }
}
