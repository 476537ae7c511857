package dev.percolate.core;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit for the start of the response to one request, and the time until developers are
 * notified of the request. Both start again with each chunk of the body that is read.
 *
 * <p>The first requests of an application are slow because classes are loaded. While the handler of
 * such a request computes, its notice is postponed, up to five times its usual time.
 *
 * <p>A second notice follows if the request cannot continue, because the {@code next} of its
 * handler is unreachable.
 */
final class ResponseTimeout extends ResponseTimeouts.Entry {

  /** The end of a message about a handler whose {@code next} is unreachable. */
  static final String LOST = "; its next is unreachable";

  private static final long NEVER = Long.MAX_VALUE;

  /** The time between checks whether the {@code next} is still reachable. */
  private static final long NEXT_LOOK = TimeUnit.SECONDS.toNanos(1);

  /** The time until the notice of a cold request that computes, in multiples of the usual time. */
  private static final int PATIENCE = 5;

  /** The number of checks within the usual time while the notice of a request is postponed. */
  private static final int LOOKS = 4;

  /** The request. */
  interface Owner {

    AppState appState();

    /** Returns the method and target of the request. */
    String head();

    /** Returns the handler that was called last; null if there is none. */
    @Nullable CurrentHandler current();

    /** Returns true if the response has started, or the exchange has ended. */
    boolean isAnswered();

    /**
     * Returns true if a thread of the request computes, loads classes, or waits for a lock, whose
     * owner may do so. Other waits are not computing.
     */
    boolean isComputing();

    /** Returns the time at which the last chunk of the body was read, else {@code before}. */
    long bodyReadAt(long now, long before);

    /** Logs that the request has no response yet, and what it waits for. */
    void reportHang(String report);

    /** Called when the time has passed. */
    void expire(Duration time);
  }

  private final Owner owner;

  /** When the time started. */
  private volatile long since;

  /** The limit in nanoseconds; 0 for no limit. */
  private volatile long limit;

  /** The time until the notice in nanoseconds; 0 for no notice, or after it. */
  private volatile long notice;

  /** The usual time until the notice if the request is cold, in nanoseconds; else 0. */
  private volatile long cold;

  /** The {@code next} of the first notice, while a second may follow. */
  private volatile @Nullable WeakReference<? extends Next> noticed;

  ResponseTimeout(Owner owner) {
    this.owner = owner;
  }

  /** Sets the time until developers are notified; zero for no notice. Call it before the start. */
  void notifyAfter(Duration time) {
    notice = time.toNanos();
    boolean first = owner.appState().responseTimeouts().isCold(System.nanoTime());
    cold = first ? notice : 0;
  }

  /** Starts the timeout; zero for no limit. */
  void start(Duration time) {
    limit = time.toNanos();
    since = System.nanoTime();
    watch(since);
  }

  /** Sets another limit, starting now; zero for no limit. No more notices follow. */
  void restart(Duration time) {
    answered();
    notice = 0;
    noticed = null;
    start(time);
  }

  /** Returns true if a notice may follow. */
  boolean hasNotice() {
    return notice > 0;
  }

  /** Resumes the timeout after a response that could not be created. */
  void watchAgain() {
    watch(System.nanoTime());
  }

  /** Ends the timeout: a response has started, or the client has disconnected. */
  void answered() {
    owner.appState().responseTimeouts().remove(this);
  }

  /** Describes what the request waits for. */
  String waits() {
    CurrentHandler handler = owner.current();
    String place = handler == null ? "its first handler" : handler.waitsFor();
    return owner.head() + " waits for " + place;
  }

  private void watch(long now) {
    long elapsed = now - since;
    long left = limit == 0 ? NEVER : limit - elapsed;
    left = Math.min(left, notice == 0 ? NEVER : notice - elapsed);
    left = Math.min(left, noticed == null ? NEVER : NEXT_LOOK);
    if (left == NEVER) {
      answered();
    } else {
      owner.appState().responseTimeouts().add(this, now, Math.max(1, left));
    }
  }

  @Override
  void look(long now) {
    if (owner.isAnswered()) {
      answered();
      return;
    }
    long read = owner.bodyReadAt(now, since);
    if (read - since > 0) {
      since = read;
    }
    long elapsed = now - since;
    if (limit > 0 && elapsed >= limit) {
      answered();
      owner.expire(Duration.ofNanos(limit));
      return;
    }
    CurrentHandler current = owner.current();
    WeakReference<? extends Next> next = current == null ? null : current.next();
    boolean lost = next != null && next.refersTo(null);
    if (notice > 0 && elapsed >= notice && elapsed < cold * PATIENCE && owner.isComputing()) {
      notice = elapsed + cold / LOOKS;
    } else if (notice > 0 && elapsed >= notice) {
      notice = 0;
      owner.reportHang(waits());
      noticed = lost ? null : next;
    } else if (current == null || next != noticed) {
      noticed = null; // the request has continued
    } else if (lost) {
      noticed = null;
      String text = owner.head() + " waits forever for " + current.place() + LOST;
      owner.reportHang(text);
    }
    watch(now);
  }
}
