package dev.percolate.middleware.store;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.engine.DaemonTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds the key of one running request, and renews it until the response is stored. The key of a
 * dead server becomes free after the lease, and the key of a slow request stays taken. If the store
 * fails to take the response, it is offered again with the next renewals.
 */
public final class KeyLease {

  /** The number of renewals within one lease. */
  private static final int RENEWALS = 4;

  /** The maximum number of times that a response is offered to the store. */
  private static final int MAX_OFFERS = 2 * RENEWALS;

  /** How long the key is held for a running handler whose client disconnected. */
  private static final long ABANDONED_NANOS = Duration.ofMinutes(1).toNanos();

  private final IdempotencyStore store;
  private final StoreFailures failures;
  private final String key;
  private final String token;
  private final String print;
  private final Duration lease;
  private final AtomicInteger offers = new AtomicInteger();

  // Guarded by this.
  private @Nullable Runnable timer;
  private @Nullable Runnable offer;
  private boolean over;
  private long abandonedAt;
  private boolean abandoned;

  /**
   * Creates the lease of a key that was acquired with the same arguments.
   *
   * @param print the fingerprint of the request
   */
  public KeyLease(
      IdempotencyStore store,
      StoreFailures failures,
      String key,
      String token,
      String print,
      Duration lease) {
    this.store = store;
    this.failures = failures;
    this.key = key;
    this.token = token;
    this.print = print;
    this.lease = lease;
  }

  /** Marks the exchange as over. If there was no response, the handler may still be running. */
  public synchronized void exchangeOver() {
    abandoned = true;
    abandonedAt = System.nanoTime();
  }

  /**
   * Stores a response under the key for a time. Never throws, since the client must get the
   * response.
   */
  public void keep(String response, Duration life) {
    Runnable keeping = () -> offer(response, life);
    synchronized (this) {
      offer = keeping;
    }
    keeping.run();
  }

  private void offer(String response, Duration life) {
    try {
      boolean ignored = // false if another request has the key
          store.save(key, token, response, life)
              || (takesAgain() && store.save(key, token, response, life));
      stop();
    } catch (Throwable e) {
      failures.note(e);
      if (offers.incrementAndGet() == MAX_OFFERS) {
        stop();
      }
    }
  }

  /**
   * Takes a key again whose lease has ended, as while the store was down. Returns false if another
   * request has taken it.
   */
  private boolean takesAgain() throws IOException {
    if (isOver() || store.acquire(key, token, print, lease) != null) {
      return false;
    }
    if (isOver()) { // released meanwhile
      store.release(key, token);
      return false;
    }
    return true;
  }

  private synchronized boolean isOver() {
    return over;
  }

  /** Returns true if the key was neither released nor given a response. */
  public synchronized boolean isOpen() {
    return !over && offer == null;
  }

  /** Frees the key. */
  public void release() {
    stop();
    try {
      store.release(key, token);
    } catch (Throwable e) {
      failures.note(e); // it becomes free after the lease
    }
  }

  private synchronized void stop() {
    over = true;
    if (timer != null) {
      timer.run();
    }
  }

  /** Renews the lease later, until this is over. */
  public synchronized void schedule() {
    if (!over) {
      timer = DaemonTimer.afterBlocking(lease.dividedBy(RENEWALS), this::renew);
    }
  }

  private void renew() {
    Runnable unstored;
    synchronized (this) {
      if (over || (abandoned && System.nanoTime() - abandonedAt > ABANDONED_NANOS)) {
        return;
      }
      unstored = offer;
    }
    try {
      if (!store.renew(key, token, lease) && !takesAgain()) {
        return; // another request has taken it
      }
    } catch (Throwable e) {
      failures.note(e); // the next renewal may be early enough
    }
    if (unstored != null) {
      unstored.run();
    }
    schedule();
  }
}
