package dev.percolate.middleware;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.engine.DaemonTimer;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Holds the key of one running request, and renews it until the response is kept: so the key of a
 * dead server becomes free after the lease, and that of a slow request does not.
 */
final class KeyLease {

  /** How often a lease is renewed within its time. */
  private static final int RENEWALS = 4;

  /** How long the key is held for a handler whose client has gone, and that may still respond. */
  private static final long ABANDONED_NANOS = Duration.ofMinutes(1).toNanos();

  private final IdempotencyStore store;
  private final StoreFailures failures;
  private final String key;
  private final String token;
  private final Duration lease;
  private @Nullable Runnable timer;
  private boolean over;
  private long abandonedAt;
  private boolean abandoned;

  KeyLease(
      IdempotencyStore store, StoreFailures failures, String key, String token, Duration lease) {
    this.store = store;
    this.failures = failures;
    this.key = key;
    this.token = token;
    this.lease = lease;
  }

  /** Begins to renew the lease. */
  void start() {
    schedule();
  }

  /** Notes that the exchange is over: if it got no response, the handler may still run. */
  synchronized void exchangeOver() {
    abandoned = true;
    abandonedAt = System.nanoTime();
  }

  /** Keeps a response under the key, for a time. */
  void keep(String response, Duration life) {
    stop();
    try {
      boolean ignored = store.keep(key, token, response, life);
    } catch (IOException e) {
      failures.note(e); // the request is done, and its client is to know
    }
  }

  /** Frees the key. */
  void release() {
    stop();
    try {
      store.release(key, token);
    } catch (IOException e) {
      failures.note(e); // it becomes free by itself
    }
  }

  private synchronized void stop() {
    over = true;
    if (timer != null) {
      timer.run();
    }
  }

  private synchronized void schedule() {
    if (!over) {
      timer = DaemonTimer.after(lease.dividedBy(RENEWALS), this::renew);
    }
  }

  private void renew() {
    if (isOver()) {
      return;
    }
    try {
      if (!store.renew(key, token, lease)) {
        return; // another request has it by now
      }
    } catch (IOException e) {
      failures.note(e); // the next time may come early enough
    } catch (RuntimeException e) {
      failures.note(e);
      return;
    }
    schedule();
  }

  private synchronized boolean isOver() {
    return over || (abandoned && System.nanoTime() - abandonedAt > ABANDONED_NANOS);
  }
}
