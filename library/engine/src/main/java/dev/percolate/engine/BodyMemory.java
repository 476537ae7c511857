package dev.percolate.engine;

import dev.percolate.engine.WaitingBodies.Waiting;
import dev.percolate.http.ByteSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that request bodies use, with one budget. The default is a quarter of the heap;
 * the system property {@code percolate.bodyMemory} or {@link ListenOptions#bodyMemory} sets another
 * size. Thread-safe.
 *
 * <p>Each exchange has a {@link Reservation}, which is released when the exchange ends. It counts
 * the bytes that the engine has read but no handler has received, and the bytes of a buffered body.
 * The budget has four parts, in 32nds:
 *
 * <pre>
 *   0        8    12                              30   31   32
 *   | read   |    |                                |    |    |
 *   | ahead  |    |                                |    |    |
 *   |--- small ---|------------ bodies ------------|----|----|
 *       the last limits: 30 for large bodies, 31 for bodies up to 256 KiB, 32 for parsed values
 * </pre>
 *
 * <p>Every grant preserves these rules, and every release restores them immediately:
 *
 * <ol>
 *   <li>Grants never exceed their part, so together they never exceed the budget.
 *   <li>A body of known length is granted its whole length before it is read, and never waits again
 *       in this part.
 *   <li>A body of unknown length grows up to a claim, which it makes when it is admitted. The
 *       oldest growing body can always reach its claim: the free bytes plus its own bytes are at
 *       least the largest claim. Another body is admitted, or grows, only if this remains true. So
 *       the oldest never waits for another body. When it ends, the same is true of the next one.
 *   <li>Memory for a parsed value is reserved after the whole body has arrived, once for each
 *       exchange, and the exchange does not wait again. If no other parsed value has memory, the
 *       first that waits gets all free bytes, at least a 32nd of the budget.
 *   <li>The call that frees memory also grants it to the waiting bodies that fit, in queue order.
 * </ol>
 *
 * <p>Therefore bodies cannot deadlock: each wait ends when clients send the bytes that they
 * declared, or reach their time limits. A body that has waited for {@link
 * ListenOptions#bodyTimeout} gets 503. A body that is read as a stream uses only its buffered
 * bytes, and is never admitted.
 *
 * <p>Small bodies do not wait for larger ones, and bodies of up to 256 KiB do not wait for large
 * ones.
 */
public final class BodyMemory {

  /** The number of bytes that each connection may buffer before a body must be admitted. */
  public static final int SHARE = 4 << 10;

  private static final int LEAST = 64 << 10;
  private static final BodyMemory OF_PROCESS = new BodyMemory(processBudget());

  private final BudgetParts parts;
  private final WaitingBodies queues = new WaitingBodies();
  private final Object lock = new Object();

  // Changed under the lock, like all fields above.
  private volatile int waiting;
  private volatile boolean smallWaits;

  /** The purpose of reserved memory. */
  public enum Purpose {
    /** The share that each connection may take at once. */
    SHARE,
    /** The bytes of a buffered body. */
    BODY,
    /** The value that a parser creates from a whole body. */
    PARSED
  }

  /** Called when memory is granted or refused. */
  @FunctionalInterface
  public interface OnReserved {

    /**
     * Receives the decision.
     *
     * @param granted false if the time limit was reached, or the exchange has ended
     */
    void decided(boolean granted);
  }

  private BodyMemory(long budget) {
    this.parts = new BudgetParts(budget);
  }

  /** Returns the budget shared by all servers of the process that have no budget of their own. */
  public static BodyMemory ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Creates a budget.
   *
   * @param size the size, such as {@code 64mb}; at least 64 KiB
   * @throws IllegalArgumentException if the size is invalid or below 64 KiB
   */
  public static BodyMemory of(String size) {
    return new BodyMemory(checked("body memory", size));
  }

  /** Returns the size of the budget, in bytes. */
  public long budget() {
    return parts.budget();
  }

  /** Returns the number of bytes in use. */
  public long held() {
    return parts.held();
  }

  /** Returns the highest number of bytes that were ever in use. */
  public long maxHeld() {
    return parts.mostHeld();
  }

  /** Returns the number of bodies that wait for memory. */
  public int waiting() {
    return waiting;
  }

  /** Returns the maximum size of one body, in bytes: three eighths of the budget. */
  public long maxBodySize() {
    return parts.maxBodySize();
  }

  /**
   * Returns true if engines may read ahead of handlers: shares and unread bytes use less than a
   * quarter of the budget, and no body waits.
   */
  public boolean isPlenty() {
    return waiting == 0 && mayReadAhead();
  }

  /**
   * Returns true if shares and unread bytes use less than a quarter of the budget, even if bodies
   * wait.
   */
  public boolean mayReadAhead() {
    return parts.mayReadAhead(1);
  }

  /** Returns true if shares and unread bytes use their whole part of the budget. */
  public boolean isFull() {
    return !parts.maySmall(1);
  }

  /** Creates the share of a connection. Called by engines. */
  public Share share() {
    return new Share();
  }

  @Override
  public String toString() {
    return held() + " of " + budget() + " bytes, " + waiting + " waiting";
  }

  /** The bytes used by the exchanges of one connection. */
  public final class Share {

    /** The bytes used by all its exchanges; changed under the lock. */
    long taken;

    private Share() {}

    /** Creates the reservation of an exchange, which is empty at first. */
    public Reservation reservation() {
      return new Reservation(this);
    }
  }

  /** The memory reserved for one exchange, until it ends. */
  public final class Reservation {

    private final ReservedBytes use;
    private @Nullable Waiting asking;

    private Reservation(Share share) {
      this.use = new ReservedBytes(share, parts);
    }

    ReservedBytes use() {
      return use;
    }

    /** Returns the budget that this reservation belongs to. */
    public BodyMemory memory() {
      return BodyMemory.this;
    }

    /** Returns the number of bytes in use by this exchange. */
    public long taken() {
      synchronized (lock) {
        return use.taken();
      }
    }

    /**
     * Returns true if the body was admitted: it has more memory than the share of its connection.
     */
    public boolean isLarge() {
      synchronized (lock) {
        return use.isLarge();
      }
    }

    /**
     * Returns true if the engine may read a chunk. The body must have been admitted, or the chunk
     * must fit into the part for reading ahead while no body waits. Waiting bodies are ignored for
     * a body that is read as a stream.
     */
    public boolean mayRead(int bytes) {
      synchronized (lock) {
        boolean maySome = waiting == 0 || use.isStream();
        return use.isLarge() || (maySome && !use.isOver() && parts.mayReadAhead(bytes));
      }
    }

    /**
     * Counts bytes that the engine has read, even beyond the budget.
     *
     * @param total the total number of bytes of the body that have arrived
     */
    public void note(long total) {
      synchronized (lock) {
        use.note(total);
      }
    }

    /**
     * Stops counting bytes that have arrived, for example when a stream has returned them.
     *
     * @param bytes the number of bytes
     */
    public void pass(long bytes) {
      synchronized (lock) {
        use.pass(bytes);
      }
      if (smallWaits) {
        grant();
      }
    }

    /** Releases all memory, because the exchange has ended. Later calls are refused. */
    public void release() {
      Waiting left;
      synchronized (lock) {
        use.release();
        left = asking;
      }
      if (left != null) {
        BodyMemory.this.reject(left);
      }
      grant();
    }

    /**
     * Ends the wait of this exchange, as if it had reached its time limit. Engines call it when
     * they need the thread.
     *
     * @return true if the exchange was waiting
     */
    public boolean reject() {
      Waiting rejected;
      synchronized (lock) {
        rejected = asking;
      }
      if (rejected == null) {
        return false;
      }
      BodyMemory.this.reject(rejected);
      return true;
    }

    /** Returns true if the exchange has ended and its memory was released. */
    public boolean isOver() {
      synchronized (lock) {
        return use.isOver();
      }
    }

    /**
     * Reserves memory if it is free and no other body waits for it.
     *
     * @param total the total number of bytes of the exchange
     * @param purpose the purpose of the memory
     * @return true if the memory was reserved
     */
    public boolean take(long total, Purpose purpose) {
      synchronized (lock) {
        return takes(total, total, purpose);
      }
    }

    /** Reserves memory of a known size, or waits for it in the queue. */
    public void await(long total, Purpose purpose, Duration patience, OnReserved callback) {
      await(total, total, purpose, patience, callback);
    }

    /**
     * Reserves memory, or waits for it in the queue. An admitted body that asks for more than its
     * claim does not wait.
     *
     * @param total the total number of bytes of the exchange
     * @param most the maximum that later calls may ask for, in bytes; {@code total} if there are
     *     none. The first call makes this claim
     * @param purpose the purpose of the memory
     * @param patience the maximum wait
     * @param callback called once, possibly within this call
     */
    public void await(
        long total, long most, Purpose purpose, Duration patience, OnReserved callback) {
      Waiting wait = null;
      boolean granted;
      synchronized (lock) {
        granted = takes(total, most, purpose);
        if (!granted && !use.isOver() && !use.isUnclaimed(total, purpose)) {
          wait = new Waiting(this, total, most, purpose, callback);
          asking = wait;
          queues.add(use.queue(total, most, purpose), wait);
          countWaiting();
        }
      }
      if (wait == null) {
        callback.decided(granted);
        return;
      }
      Waiting late = wait;
      wait.expiry(DaemonTimer.after(patience, () -> BodyMemory.this.reject(late)));
      grant(); // memory may have become free since
    }

    private boolean takes(long total, long most, Purpose purpose) {
      return use.has(total)
          || ((waiting == 0 || queues.mayPass(use.queue(total, most, purpose)))
              && use.fits(total, most, purpose));
    }
  }

  /** Grants free memory to waiting bodies. */
  private void grant() {
    if (waiting == 0) {
      return;
    }
    List<Waiting> granted = new ArrayList<>();
    synchronized (lock) {
      queues.grantTo(granted);
      granted.forEach(one -> one.reservation().asking = null);
      countWaiting();
    }
    granted.forEach(one -> one.tell(true));
  }

  /** Refuses memory to a waiting body, unless its wait has ended. */
  private void reject(Waiting one) {
    synchronized (lock) {
      if (!queues.remove(one)) {
        return;
      }
      one.reservation().asking = null;
      countWaiting();
    }
    one.tell(false);
    grant(); // later bodies in the queue may need less
  }

  /** Returns true if the oldest growing body can reach its claim. For tests. */
  boolean oldestCanFinish() {
    synchronized (lock) {
      return parts.oldestCanFinish();
    }
  }

  private void countWaiting() {
    waiting = queues.size();
    smallWaits = !queues.isEmpty(WaitingBodies.Queue.SMALL);
  }

  private static long processBudget() {
    String size = System.getProperty("percolate.bodyMemory", "");
    return size.isEmpty()
        ? Math.max(LEAST, Runtime.getRuntime().maxMemory() / 4)
        : checked("percolate.bodyMemory", size);
  }

  private static long checked(String option, String size) {
    long bytes = ByteSize.bytes(option, size);
    if (bytes < LEAST) {
      throw new IllegalArgumentException(option + " must be at least 64 KiB, was \"" + size + "\"");
    }
    return bytes;
  }
}
