package dev.percolate.nio;

import dev.percolate.engine.SafeLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the turns of a loop that fail one after the other. Each is logged; between them the loop
 * pauses, so that it cannot spin. Used on the loop only.
 */
final class FailedTurns {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** How long turns may fail, without one that succeeds, until the loop gives up. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

  private long pause;
  private long since;

  /** Notes that a turn has succeeded. */
  void none() {
    pause = 0;
  }

  /**
   * Notes that a turn has failed.
   *
   * @throws IllegalStateException if turns have failed for too long
   */
  void add(Throwable cause) {
    long now = System.nanoTime();
    if (pause == 0) {
      since = now;
    } else if (now - since > PATIENCE) {
      throw new IllegalStateException("no turn of an event loop succeeds any more", cause);
    }
    SafeLog.log(LOG, Level.ERROR, "a turn of an event loop failed", cause);
    LockSupport.parkNanos(this, pause);
    pause = Math.min(Math.max(SHORTEST_PAUSE, 2 * pause), LONGEST_PAUSE);
  }
}
