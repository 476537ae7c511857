package dev.percolate.nio.loop;

import java.util.concurrent.TimeUnit;

/**
 * Measures how long the client of an exchange has stalled. A client stalls if it sends no chunk of
 * a body that a handler waits for, or takes no part of the response. Time counts only while the
 * server waits for the client, not while a handler computes or a body waits for memory.
 *
 * <p>Progress in taking a response becomes visible in steps as large as the socket buffers. The
 * steps may be seconds apart, even if the client reads all the time. Until the second step, such a
 * client looks like one that reads nothing. After it, the more bytes a client moves, the longer it
 * may pause.
 *
 * <p>Times are those of {@link System#nanoTime}. Thread-safe.
 */
public final class Progress implements StepPool.Client {

  /** How long any client may stall, in nanoseconds. */
  public static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  /** The maximum extra time for a client that has moved {@code RATE} bytes per second before. */
  private static final long MOST_CREDIT = TimeUnit.SECONDS.toNanos(10);

  private static final long RATE = 64 << 10;

  /** If no check takes place for this long, the server was slow, not the client. In nanoseconds. */
  public static final long LATE = TimeUnit.MILLISECONDS.toNanos(500);

  /** How many bytes count as progress; a few bytes now and then do not. */
  public static final int MOVE = 16 << 10;

  private final Ends exchange;
  private int owed;
  private int moved;
  private long since;
  private long stoppedAt;
  private long lookedAt;
  private boolean movesOn;
  private long credit;

  /** Ends an exchange, or its wait for memory. */
  public interface Ends {

    /** Closes the connection immediately. */
    void abort();

    /** Rejects the memory that the body waits for. Returns false if it does not wait. */
    boolean rejectReservation();
  }

  public Progress(Ends exchange, long now) {
    this.exchange = exchange;
    this.lookedAt = now;
  }

  /**
   * Records the time of a periodic check. If too much time has passed since the last one, it does
   * not count: the event loop itself, which moves the bytes, was blocked.
   */
  public synchronized void look(long now) {
    long passed = now - lookedAt;
    if (owed > 0 && passed > LATE) {
      since += Math.min(passed, now - since);
    }
    lookedAt = now;
  }

  /** Records that the server waits for the client to send or take another part. */
  public synchronized void owes(long now) {
    if (owed++ == 0) {
      since += now - stoppedAt;
    }
  }

  /** Records that such a wait has ended. */
  public synchronized void pays(long now) {
    if (--owed == 0) {
      stoppedAt = now;
    }
  }

  /** Records bytes that the client has sent or taken. */
  public synchronized void moved(int bytes, long now) {
    moved += bytes;
    if (moved < MOVE) {
      return;
    }
    long stood = owed > 0 ? now - since : stoppedAt - since;
    movesOn |= stood > PATIENCE;
    if (movesOn) {
      long earned = moved * TimeUnit.SECONDS.toNanos(1) / RATE;
      credit = Math.min(MOST_CREDIT, Math.max(0, credit - stood) + earned);
    }
    moved = 0;
    since = now;
    stoppedAt = now;
  }

  @Override
  public synchronized long overdue(long waiting) {
    return lookedAt - PATIENCE - (owed > 0 ? since + credit : waiting);
  }

  @Override
  public boolean cutOff() {
    if (isOwed()) {
      exchange.abort();
      return true;
    }
    return exchange.rejectReservation();
  }

  private synchronized boolean isOwed() {
    return owed > 0;
  }
}
