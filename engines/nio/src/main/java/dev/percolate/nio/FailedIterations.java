package dev.percolate.nio;

import dev.percolate.engine.SafeLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts consecutive failed iterations of an event loop. Each failure is logged. The loop pauses
 * between them, so that it cannot spin. Used on the loop only.
 */
final class FailedIterations {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** How long every iteration of a server's loop may fail before the loop ends. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

  private final Duration patience;
  private long pause;
  private long since;

  /**
   * Creates a counter.
   *
   * @param patience how long every iteration may fail before the loop ends
   */
  FailedIterations(Duration patience) {
    this.patience = patience;
  }

  /** Records that an iteration succeeded. */
  void none() {
    pause = 0;
  }

  /**
   * Logs a failed iteration and pauses.
   *
   * @throws IllegalStateException if every iteration has failed for the permitted time
   */
  void add(Throwable cause) {
    long now = System.nanoTime();
    if (pause == 0) {
      since = now;
    } else if (now - since > patience.toNanos()) {
      String time = patience.toSeconds() + " s";
      throw new IllegalStateException("every iteration of an event loop failed for " + time, cause);
    }
    SafeLog.log(
        LOG, Level.ERROR, "an iteration of an event loop failed; the loop continues", cause);
    LockSupport.parkNanos(this, pause);
    pause = Math.min(Math.max(SHORTEST_PAUSE, 2 * pause), LONGEST_PAUSE);
  }
}
