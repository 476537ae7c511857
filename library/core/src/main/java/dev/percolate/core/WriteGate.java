package dev.percolate.core;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.StateField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The backpressure of one client: counts the bytes that were passed to its connection and that it
 * has not received, and blocks writers while there are too many. Thread-safe.
 *
 * <pre>
 *   unwritten bytes   effect
 *   over 1 MiB        bytes of threads that must not block are not admitted
 *   over 64 KiB       threads that may block wait
 *   32 KiB or less    waiting threads continue
 * </pre>
 *
 * <p>Call {@link #passed} for each chunk that is passed to the connection, and {@link #written}
 * when it has been sent.
 */
public final class WriteGate {

  private static final VarHandle UNWRITTEN =
      StateField.of(MethodHandles.lookup(), "unwritten", long.class);
  private static final VarHandle WAITING =
      StateField.of(MethodHandles.lookup(), "waiting", Waiting.class);

  private static final long HIGH_WATER = 64 << 10;
  private static final long MOST = 1 << 20;

  private final Consumer<BooleanSupplier> parking;
  private volatile long unwritten;
  private volatile @Nullable Waiting waiting;
  private volatile @Nullable Throwable broken;

  /** A thread that waits; a linked list with the threads that waited before it. */
  private static final class Waiting {

    private final Thread thread = Thread.currentThread();
    private final @Nullable Waiting before;
    private volatile boolean over;
    private volatile boolean late;

    Waiting(@Nullable Waiting before) {
      this.before = before;
    }

    boolean isOver() {
      return over;
    }

    void end() {
      over = true;
      LockSupport.unpark(thread);
    }

    void expire() {
      late = true;
      end();
    }
  }

  /**
   * Creates an open gate.
   *
   * @param parking blocks the calling thread until its argument returns true, such as {@code
   *     exchange::await}
   */
  public WriteGate(Consumer<BooleanSupplier> parking) {
    this.parking = parking;
  }

  /**
   * Returns true if a thread that must not block may write a chunk. A chunk of any size is admitted
   * if no bytes are unwritten.
   *
   * @param size the number of bytes
   */
  public boolean admits(int size) {
    long ahead = unwritten;
    return ahead <= 0 || ahead + size <= MOST;
  }

  /** Returns the number of unwritten bytes. */
  public long unwritten() {
    return unwritten;
  }

  /**
   * Counts a chunk that was passed to the connection; {@link #written} may have been called before.
   *
   * @param size the number of bytes
   * @return the number of unwritten bytes
   */
  public long passed(int size) {
    return (long) UNWRITTEN.getAndAdd(this, (long) size) + size;
  }

  /**
   * Records that a chunk was sent, or cannot be sent.
   *
   * @param size the number of bytes
   * @param failure the reason if the chunk was not sent, else null
   * @return true if {@link #wake} must be called, now or as soon as the caller has released a lock
   */
  public boolean written(int size, @Nullable Throwable failure) {
    if (failure != null) {
      broken = failure;
    }
    long left = (long) UNWRITTEN.getAndAdd(this, (long) -size) - size;
    return left <= HIGH_WATER / 2 || failure != null;
  }

  /**
   * Records that no more bytes can be sent. The caller must then call {@link #wake}.
   *
   * @param failure the reason
   */
  public void fail(Throwable failure) {
    broken = failure;
  }

  /** Wakes all waiting threads. */
  public void wake() {
    if (waiting != null) {
      Waiting next = (Waiting) WAITING.getAndSet(this, null);
      while (next != null) {
        next.end();
        next = next.before;
      }
    }
  }

  /** Returns true if so many bytes are unwritten that threads that may block must wait. */
  public boolean isHigh() {
    return unwritten > HIGH_WATER;
  }

  /**
   * Returns true if no thread has to wait any longer: few bytes are unwritten, or a write failed.
   */
  public boolean isDrained() {
    return unwritten <= HIGH_WATER / 2 || broken != null;
  }

  /** Returns true if a chunk could not be sent. */
  public boolean isBroken() {
    return broken != null;
  }

  /**
   * Throws if a chunk could not be sent.
   *
   * @throws ClientDisconnectedException with the reason
   */
  public void failIfBroken() throws ClientDisconnectedException {
    Throwable failure = broken;
    if (failure != null) {
      throw new ClientDisconnectedException(failure);
    }
  }

  /**
   * Blocks while many bytes are unwritten, until the client has received most of them once. Other
   * threads may have written more since.
   */
  public void await() {
    if (isHigh()) {
      await(enlist());
    }
  }

  /**
   * Blocks as {@link #await()} does, for a limited time.
   *
   * @param patience the time limit
   * @return false if many bytes are still unwritten after this time
   */
  public boolean await(Duration patience) {
    if (!isHigh()) {
      return true;
    }
    Waiting mine = enlist();
    Runnable cancel = DaemonTimer.after(patience, mine::expire);
    try {
      await(mine);
    } finally {
      cancel.run();
    }
    return !mine.late || !isHigh() || isBroken();
  }

  private void await(Waiting mine) {
    if (!isDrained()) {
      parking.accept(mine::isOver);
    }
  }

  /** Adds the calling thread to the waiting ones. */
  private Waiting enlist() {
    while (true) {
      Waiting before = waiting;
      Waiting mine = new Waiting(before);
      if (WAITING.compareAndSet(this, before, mine)) {
        return mine;
      }
    }
  }
}
