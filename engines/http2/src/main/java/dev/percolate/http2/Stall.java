package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a client reads too slowly. The client must read some bytes within {@link
 * ListenOptions#writeTimeout}. Once its window has been closed for 5 seconds in all, it must read
 * {@link ListenOptions#minResponseRate} on average. Time counts only while the window is closed.
 * Used on its event loop only.
 */
final class Stall {

  private static final long GRACE = TimeUnit.SECONDS.toNanos(5);
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private long moved;
  private long movedBefore;
  private long shut;

  /** How long the client has read nothing, in nanoseconds. */
  private long still;

  private long lookedAt;
  private boolean wasShut;

  /** Counts bytes that the client has accepted. */
  void moved(long bytes) {
    moved += bytes;
  }

  /**
   * Updates the times and returns whether the client is too slow. Called periodically.
   *
   * @param isShut whether data waits for the client to open its window
   */
  boolean isTooSlow(long now, boolean isShut, ListenOptions options) {
    long passed = wasShut ? now - lookedAt : 0;
    lookedAt = now;
    wasShut = isShut;
    shut += passed;
    still = isShut && moved == movedBefore ? still + passed : 0;
    movedBefore = moved;
    return still > options.writeTimeout().toNanos()
        || (isShut && shut > GRACE && moved < options.minResponseRate() * (shut / SECOND));
  }
}
