package dev.percolate.nio;

import java.util.concurrent.TimeUnit;

/**
 * Measures how fast a client takes what waits for it. Time counts only while the system has no room
 * for more. Used on the loop of its connection only.
 *
 * <p>What a client takes shows in steps, when the system has room again: with large buffers these
 * are seconds apart, though the client reads all the time. So the rate is that from one step to
 * another one, {@value #SECONDS} seconds later at least. A client that has paused once takes only a
 * little in its next step: it is too slow if the next rate is too low as well.
 */
final class ResponseRate {

  private static final int SECONDS = 10;
  private static final long LEAST = TimeUnit.SECONDS.toNanos(SECONDS);
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private boolean wasFull;
  private boolean isMeasured;
  private boolean wasSlow;
  private long lookedAt;
  private long writtenBefore;

  /** Time in which the client was waited for, and bytes that it has taken, since a step. */
  private long waited;

  private long taken;

  /**
   * Looks at the time and what has been written; now and then.
   *
   * @param written the number of bytes that the system has taken in all
   * @param isFull whether more waits until it has room
   * @param least the lowest rate, in bytes per second
   * @return true if the client is too slow
   */
  boolean isTooSlow(long now, long written, boolean isFull, int least) {
    long step = wasFull ? written - writtenBefore : 0;
    if (isMeasured) {
      waited += wasFull ? now - lookedAt : 0;
      taken += step;
    }
    wasFull = isFull;
    lookedAt = now;
    writtenBefore = written;
    if (!isFull) {
      isMeasured = false; // the next step reveals what was taken before, too
      wasSlow = false;
      return false;
    }
    if (step == 0 || (isMeasured && waited < LEAST)) {
      return false;
    }
    boolean isSlow = isMeasured && taken < least * (waited / SECOND);
    boolean isTooSlow = isSlow && wasSlow;
    wasSlow = isSlow;
    isMeasured = true;
    waited = 0;
    taken = 0;
    return isTooSlow;
  }
}
