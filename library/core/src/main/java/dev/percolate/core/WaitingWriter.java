package dev.percolate.core;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A writer that waits for a slow client; a linked list with the writers that waited before it. */
final class WaitingWriter {

  private final Thread writer = Thread.currentThread();
  private final @Nullable WaitingWriter before;
  private volatile boolean over;

  WaitingWriter(@Nullable WaitingWriter before) {
    this.before = before;
  }

  /** Returns true if the wait is over. */
  boolean isOver() {
    return over;
  }

  /** Wakes a writer and all before it. */
  static void wake(@Nullable WaitingWriter newest) {
    for (WaitingWriter next = newest; next != null; next = next.before) {
      next.over = true;
      LockSupport.unpark(next.writer);
    }
  }
}
