package dev.percolate.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time limit for the start of the response to one request, and the time until the {@link
 * HangNotice}. Both start again with each chunk of the body that is read.
 */
final class ResponseTimeout extends AnswerWatch.Entry {

  private static final long NEVER = Long.MAX_VALUE;

  /** The request. */
  interface Owner extends HangNotice.Owner {

    /** Returns true if the response has started, or the exchange has ended. */
    boolean isAnswered();

    /** Returns the time at which the last chunk of the body was read, else {@code before}. */
    long bodyReadAt(long now, long before);

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

  /** The first notice, while a second may follow. */
  private volatile @Nullable HangNotice noticed;

  ResponseTimeout(Owner owner) {
    this.owner = owner;
  }

  /** Sets the time until developers are notified; zero for no notice. Call it before the start. */
  void notifyAfter(Duration time) {
    notice = time.toNanos();
  }

  /** Starts the timeout; zero for no limit. */
  void start(Duration time) {
    limit = time.toNanos();
    since = System.nanoTime();
    watch(since);
  }

  /** Sets another limit, starting now; zero for no limit. There is no notice from now on. */
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
    owner.appState().answerWatch().remove(this);
  }

  private void watch(long now) {
    long elapsed = now - since;
    long left = limit == 0 ? NEVER : limit - elapsed;
    left = Math.min(left, notice == 0 ? NEVER : notice - elapsed);
    left = Math.min(left, noticed == null ? NEVER : HangNotice.NEXT_LOOK);
    if (left == NEVER) {
      answered();
    } else {
      owner.appState().answerWatch().add(this, now, Math.max(1, left));
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
    HangNotice last = noticed;
    if (notice > 0 && elapsed >= notice) {
      notice = 0;
      noticed = HangNotice.log(owner);
    } else if (last != null && !last.look()) {
      noticed = null;
    }
    watch(now);
  }
}
