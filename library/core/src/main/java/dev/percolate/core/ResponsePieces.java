package dev.percolate.core;

import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.StateField;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serializes the chunks of a response from several threads, counts the bytes that the client has
 * not received, and blocks writers while there are too many.
 */
final class ResponsePieces {

  private static final VarHandle UNWRITTEN =
      StateField.of(MethodHandles.lookup(), "unwritten", long.class);
  private static final VarHandle WAITING =
      StateField.of(MethodHandles.lookup(), "waiting", WaitingWriter.class);

  /** Writers block if more bytes than this are unwritten. */
  private static final long HIGH_WATER = 64 << 10;

  /** The maximum number of unwritten bytes from threads that must not block. */
  private static final long LOOP_LIMIT = 1 << 20;

  private final Exchange exchange;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long unwritten;
  private volatile @Nullable WaitingWriter waiting;
  private volatile @Nullable Throwable broken;

  ResponsePieces(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Waits until no other thread passes a chunk to the engine. */
  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns a notice that calls a callback only after {@link #unlock}. */
  DeferredNotice notice(Exchange.OnWritten callback) {
    return new DeferredNotice(callback);
  }

  /**
   * Rejects a chunk from a thread that must not block if the client is slow.
   *
   * @throws IOException if too many bytes would be unwritten
   */
  void checkRoom(int size) throws IOException {
    long ahead = unwritten;
    if (ahead > 0 && ahead + size > LOOP_LIMIT) {
      throw new IOException(
          "client reads too slowly: " + ahead + " bytes are unsent; the thread must not block");
    }
  }

  /** Counts a chunk that was passed on; {@link #written} may have been called before. */
  void handedOver(int size) {
    UNWRITTEN.getAndAdd(this, (long) size);
  }

  /** Records that a chunk was sent or cannot be sent. */
  void written(int size, @Nullable Throwable failure) {
    if (failure != null) {
      broken = failure;
    }
    long left = (long) UNWRITTEN.getAndAdd(this, (long) -size) - size;
    if (waiting != null && (left <= HIGH_WATER / 2 || failure != null)) {
      WaitingWriter all = (WaitingWriter) WAITING.getAndSet(this, null);
      WaitingWriter.wake(all);
    }
  }

  /**
   * Blocks while many bytes are unwritten, until the client has received most of them once. Other
   * threads may have written more since.
   */
  void awaitDrained() {
    if (unwritten > HIGH_WATER) {
      WaitingWriter mine = enlist();
      if (unwritten > HIGH_WATER / 2 && broken == null) {
        exchange.await(mine::isOver);
      }
    }
  }

  /** Throws if a chunk did not reach the client. */
  void failIfBroken() throws IOException {
    Throwable failure = broken;
    if (failure != null) {
      throw new ClientGone(failure);
    }
  }

  /** Adds the calling thread to the waiting writers. */
  private WaitingWriter enlist() {
    while (true) {
      WaitingWriter before = waiting;
      WaitingWriter mine = new WaitingWriter(before);
      if (WAITING.compareAndSet(this, before, mine)) {
        return mine;
      }
    }
  }

  /**
   * Defers a write callback until the lock is free, because the callback may wait for threads that
   * wait for the lock.
   */
  final class DeferredNotice implements Exchange.OnWritten {

    private final Exchange.OnWritten callback;

    // Used only by the thread that holds the lock.
    private boolean held;
    private @Nullable Throwable failure;

    private DeferredNotice(Exchange.OnWritten callback) {
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

  /** A writer that waits for a slow client; a linked list with the writers that waited before it. */
  private static final class WaitingWriter {

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
}
