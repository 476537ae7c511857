package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Notes what has become of a piece, and passes that on when a lock is free again: who is told may
 * wait for those who wait for the lock.
 */
final class DeferredNotice implements Exchange.OnWritten {

  private final ReentrantLock lock;
  private final Exchange.OnWritten callback;

  // Of the thread that has the lock.
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

  /** Passes on what came while the calling thread had the lock. */
  void release() {
    if (held) {
      callback.written(failure);
    }
  }
}
