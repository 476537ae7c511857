package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Defers a write callback until a lock is free, because the callback may wait for threads that wait
 * for the lock.
 */
final class DeferredNotice implements Exchange.OnWritten {

  private final ReentrantLock lock;
  private final Exchange.OnWritten callback;

  // Used only by the thread that holds the lock.
  private boolean held;
  private @Nullable Throwable failure;

  DeferredNotice(ReentrantLock lock, Exchange.OnWritten callback) {
    this.lock = lock;
    this.callback = callback;
  }

  @Override
  public void written(@Nullable Throwable cause) {
    if (lock.isHeldByCurrentThread()) {
      held = true;
      failure = cause;
    } else {
      callback.written(cause);
    }
  }

  /** Calls the callback if it was deferred while the calling thread held the lock. */
  void release() {
    if (held) {
      callback.written(failure);
    }
  }
}
