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
 * Keeps the pieces of a response from several threads apart, counts those that the client has not
 * taken yet, and lets their writers wait while there are many.
 */
final class ResponsePieces {

  private static final VarHandle UNWRITTEN =
      StateField.of(MethodHandles.lookup(), "unwritten", long.class);
  private static final VarHandle WAITING =
      StateField.of(MethodHandles.lookup(), "waiting", WaitingWriter.class);

  /** How many unwritten bytes make a writer wait. */
  private static final long HIGH_WATER = 64 << 10;

  /** How many unwritten bytes a writer that may not wait can leave behind. */
  private static final long LOOP_LIMIT = 1 << 20;

  private final Exchange exchange;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long unwritten;
  private volatile @Nullable WaitingWriter waiting;
  private volatile @Nullable Throwable broken;

  ResponsePieces(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Waits until no other thread hands a piece over. */
  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns a notice that reaches a callback only after {@link #unlock}. */
  DeferredNotice notice(Exchange.OnWritten callback) {
    return new DeferredNotice(lock, callback);
  }

  /**
   * Refuses a piece of a thread that may not wait if the client is slow.
   *
   * @throws IOException if too many bytes would be unwritten
   */
  void checkRoom(int size) throws IOException {
    long ahead = unwritten;
    if (ahead > 0 && ahead + size > LOOP_LIMIT) {
      throw new IOException(
          "the client reads too slowly: " + ahead + " bytes wait, and no step may wait");
    }
  }

  /** Counts a piece that was handed over; {@link #written} may have been called before. */
  void handedOver(int size) {
    UNWRITTEN.getAndAdd(this, (long) size);
  }

  /** Notes that the client has taken a piece, or never will. */
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
   * If many bytes are unwritten, waits until the client has taken most once, though others may have
   * written more since.
   */
  void awaitDrained() {
    if (unwritten > HIGH_WATER) {
      WaitingWriter mine = enlist();
      if (unwritten > HIGH_WATER / 2 && broken == null) {
        exchange.await(mine::isOver);
      }
    }
  }

  /** Throws if a piece has not reached the client. */
  void failIfBroken() throws IOException {
    Throwable failure = broken;
    if (failure != null) {
      throw new ClientGone(failure);
    }
  }

  /** Puts the calling thread down to be woken. */
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
