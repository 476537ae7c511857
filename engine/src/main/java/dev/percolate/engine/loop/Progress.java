package dev.percolate.engine.loop;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells how long the client of one exchange has stood still: how long it has owed a piece of its
 * body, or left a part of the answer where it is, since it last moved some bytes. While it owes
 * nothing no time goes by, so that neither a step that computes nor a body that waits for room
 * counts against it.
 *
 * <p>What a client takes shows in steps as large as the kernel's buffers, which may be seconds
 * apart though it reads all the time. Before the second step nobody can tell it from one that reads
 * nothing. From then on it may stand still the longer, the more it moves.
 *
 * <p>Times are those of {@link System#nanoTime}. Any thread may use it.
 */
public final class Progress implements StepPool.Client {

  /** How long it may stand still at least. */
  public static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  /** How much longer at most, where it has moved so many bytes a second before. */
  private static final long MOST_CREDIT = TimeUnit.SECONDS.toNanos(10);

  private static final long RATE = 64 << 10;

  /** How long nobody need have looked until that is what is slow, and no client. */
  public static final long LATE = TimeUnit.MILLISECONDS.toNanos(500);

  /** How many bytes count: a few now and then do not. */
  public static final int MOVE = 16 << 10;

  private final Ends exchange;
  private int owed;
  private int moved;
  private long since;
  private long stoppedAt;
  private long lookedAt;
  private boolean movesOn;
  private long credit;

  /** Ends an exchange, or what it waits for. */
  public interface Ends {

    /** Closes the connection at once. */
    void abort();

    /** Refuses the room in memory that the body waits for; tells whether it does. */
    boolean refuseRoom();
  }

  public Progress(Ends exchange, long now) {
    this.exchange = exchange;
    this.lookedAt = now;
  }

  /**
   * Looks at the time. What passes from one look to the next does not count if it is too much: the
   * event loop, which moves the bytes, has stood still itself.
   */
  public synchronized void look(long now) {
    long passed = now - lookedAt;
    if (owed > 0 && passed > LATE) {
      since += Math.min(passed, now - since);
    }
    lookedAt = now;
  }

  /** Notes that the client owes something more. */
  public synchronized void owes(long now) {
    if (owed++ == 0) {
      since += now - stoppedAt;
    }
  }

  /** Notes that the client owes something less. */
  public synchronized void pays(long now) {
    if (--owed == 0) {
      stoppedAt = now;
    }
  }

  /** Notes that a client has taken so much of what was written, where anybody wants to know. */
  public static void note(@Nullable Progress progress, long bytes, long now) {
    if (progress != null) {
      progress.moved((int) Math.min(bytes, 1 << 30), now);
    }
  }

  /** Notes that the client has sent or taken some bytes. */
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
    return exchange.refuseRoom();
  }

  private synchronized boolean isOwed() {
    return owed > 0;
  }
}
