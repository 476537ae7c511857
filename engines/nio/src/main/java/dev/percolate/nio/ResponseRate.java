package dev.percolate.nio;

import java.util.concurrent.TimeUnit;

/**
 * Measures the rate at which a client takes its response. Time counts only while the socket buffer
 * is full. Used on the loop of its connection only.
 *
 * <p>Progress becomes visible in steps, when the buffer has room again. With large buffers the
 * steps are seconds apart, even if the client reads all the time. So the rate is measured from one
 * step to another, at least {@value #SECONDS} seconds later. After a pause of the client, one rate
 * may be low by accident; the client is too slow if the next rate is too low as well.
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

  /** The time with a full buffer, and the bytes taken, since the last step. */
  private long waited;

  private long taken;

  /**
   * Measures the progress; must be called periodically.
   *
   * @param written the total number of bytes that the system has taken
   * @param isFull whether bytes wait because the socket buffer is full
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
      isMeasured = false; // the next step includes bytes that were taken before
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
