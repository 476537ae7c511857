package dev.percolate.core;

import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.StateField;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
    return new DeferredNotice(lock, callback);
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
}
