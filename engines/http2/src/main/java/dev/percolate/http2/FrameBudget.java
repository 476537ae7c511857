package dev.percolate.http2;

import java.util.concurrent.TimeUnit;

/**
 * Limits frames that cost the server more than they are worth: canceled requests, protocol errors,
 * and frames that only cause work. The budget refills over time and with each response, for which a
 * client has to open its windows. A client that exhausts the budget is disconnected.
 */
final class FrameBudget {

  /** The cost of a frame that only causes work, such as PING. */
  static final int FRAME = 1;

  /** The cost of a request that is canceled or rejected. */
  static final int RESET = 5;

  /**
   * The cost of a malformed request that resets its stream, or of one that exceeds a size limit.
   */
  static final int FAULT = 10;

  private static final int MOST = 2_000;
  private static final long EACH = TimeUnit.MILLISECONDS.toNanos(2);

  private int left = MOST;
  private long filledAt = System.nanoTime();

  /** Spends some of the budget. */
  void spend(int cost) throws FrameError {
    left -= cost;
    if (left < 0) {
      refill();
    }
    if (left < 0) {
      throw FrameError.ofConnection(ErrorCode.ENHANCE_YOUR_CALM, "too many useless frames");
    }
  }

  /** Adds to the budget for data that was sent. */
  void earn(int some) {
    left = Math.min(MOST, left + some);
  }

  private void refill() {
    long now = System.nanoTime();
    left = (int) Math.min(MOST, left + (now - filledAt) / EACH);
    filledAt = now;
  }
}
