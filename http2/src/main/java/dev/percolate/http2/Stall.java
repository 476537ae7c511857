package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a client reads too slowly. It must take some bytes within {@link
 * ListenOptions#writeTimeout}. Once it has kept a window shut for 5 seconds, it must take {@link
 * ListenOptions#minResponseRate} on average. Time counts only while the window is shut. Used on its
 * loop only.
 */
final class Stall {

  private static final long GRACE = TimeUnit.SECONDS.toNanos(5);
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private long moved;
  private long movedBefore;
  private long shut;

  /** How long nothing has moved. */
  private long still;

  private long lookedAt;
  private boolean wasShut;

  /** Notes that the client has taken something. */
  void moved(long bytes) {
    moved += bytes;
  }

  /**
   * Looks at the time; now and then.
   *
   * @param isShut whether something waits for the client to open its window
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
