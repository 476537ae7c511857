package dev.percolate.http2;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the frames of a client that cost more than they bring: what it takes back, what is against
 * the rules, and what asks for nothing but work. Time gives some, and so do answers, for which a
 * client has to open windows; one that has used up all is to leave.
 */
final class FrameBudget {

  /** What a frame costs that asks for an answer of its own, or for nothing. */
  static final int FRAME = 1;

  /** What a request costs that is taken back, or was refused. */
  static final int RESET = 5;

  /** What a request costs that is against the rules, so that we reset it, or longer than may be. */
  static final int FAULT = 10;

  private static final int MOST = 2_000;
  private static final long EACH = TimeUnit.MILLISECONDS.toNanos(2);

  private int left = MOST;
  private long filledAt = System.nanoTime();

  /** Takes some. */
  void spend(int cost) throws FrameError {
    left -= cost;
    if (left < 0) {
      refill();
    }
    if (left < 0) {
      throw FrameError.ofConnection(ErrorCode.ENHANCE_YOUR_CALM, "too much that brings nothing");
    }
  }

  /** Gives some, for what was answered. */
  void earn(int some) {
    left = Math.min(MOST, left + some);
  }

  private void refill() {
    long now = System.nanoTime();
    left = (int) Math.min(MOST, left + (now - filledAt) / EACH);
    filledAt = now;
  }
}
