package dev.percolate.engine;

import dev.percolate.engine.WaitingBodies.Waiting;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.IpText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory that the bodies of requests take, by one budget: a quarter of the heap, unless
 * the system property {@code percolate.bodyMemory} or {@link ListenOptions#bodyMemory} sets another
 * size. Any thread may use it.
 *
 * <p>Each exchange has a {@link Room}, which is released when the exchange is over. It counts the
 * bytes that the engine has read and no handler has taken, and those that are kept of the body. The
 * budget has four parts, in 32nds:
 *
 * <pre>
 *   0        8    12                              30   31   32
 *   | read   |    |                                |    |    |
 *   | ahead  |    |                                |    |    |
 *   |--- small ---|------------ bodies ------------|----|----|
 *                                   large bodies stop here, bodies up to 256 KiB here, parsed values here
 * </pre>
 *
 * <p>Every grant preserves this invariant, and every release restores it at once:
 *
 * <ol>
 *   <li>Grants never exceed their part, so together they never exceed the budget.
 *   <li>A body of known length is granted its whole length before it is read. It never waits for
 *       more of this part.
 *   <li>A body of unknown length grows, up to a claim that it makes when it is admitted. The oldest
 *       growing body can always reach its claim: the free bytes plus its own bytes are at least the
 *       largest claim of all growing bodies. Another body is admitted, or grows, only if that still
 *       holds afterwards. So the oldest never waits for another body. When it is over, the same is
 *       true of the next one.
 *   <li>Room for a parsed value is taken after the whole body has arrived, once for each exchange,
 *       and its holder waits for nothing more. If no other parsed value has room, the first that
 *       waits gets all free bytes, which are at least a 32nd of the budget.
 *   <li>Every waiting body that fits, in the order of its queue, is granted by the call that made
 *       it fit.
 * </ol>
 *
 * <p>Therefore bodies never wait for each other in a circle: each wait ends when clients send the
 * bytes that they announced, or reach their time limits. A body that has waited for {@link
 * ListenOptions#bodyTimeout} gets 503. A body that is read as a stream takes only its buffered
 * bytes, and is never admitted.
 *
 * <p>Small bodies do not wait for larger ones, and bodies of up to 256 KiB do not wait for large
 * ones. Bodies of an address beyond its limit do not keep those of other addresses waiting.
 */
public final class BodyMemory {

  /** What a connection may keep of bodies although others have taken their part of the budget. */
  public static final int SHARE = 4 << 10;

  private static final int LEAST = 64 << 10;
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final BodyMemory OF_PROCESS = new BodyMemory(processBudget(), NO_LIMIT);

  private final BudgetParts parts;
  private final AddressLimit addresses;
  private final WaitingBodies queues = new WaitingBodies();
  private final Object lock = new Object();

  // Changed under the lock, as all fields above.
  private volatile int waiting;
  private volatile boolean smallWaits;

  /** What room is asked for. */
  public enum Purpose {
    /** Bytes that the engine reads before a handler asks for them. */
    READ_AHEAD,
    /** The share that each connection may take at once. */
    SHARE,
    /** Bytes that are kept of a body while it is read. */
    BODY,
    /** The value that a parser creates from a whole body. */
    PARSED
  }

  /** Called when room is granted, or when waiting for it has ended. */
  @FunctionalInterface
  public interface OnRoom {

    /**
     * Receives the decision.
     *
     * @param granted false if the time has passed, or the exchange is over
     */
    void decided(boolean granted);
  }

  private BodyMemory(long budget, long perAddress) {
    this.parts = new BudgetParts(budget);
    this.addresses = new AddressLimit(perAddress);
  }

  /** Returns the budget that all servers of the process share unless they have one of their own. */
  public static BodyMemory ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Creates a budget.
   *
   * @param size the size, such as {@code 64mb}; at least 64 KiB
   * @throws IllegalArgumentException if it is no size, or a smaller one
   */
  public static BodyMemory of(String size) {
    return new BodyMemory(checked("BodyMemory.of", size), NO_LIMIT);
  }

  /**
   * Creates a budget of the same size, of which one address may take only a part. An address is one
   * of IPv4, or a network of IPv6 addresses that share their first 64 bits. Behind a proxy all
   * clients have the proxy's address, which is why there is no limit by default.
   *
   * @param size the part, such as {@code 8mb}; at least 64 KiB
   * @throws IllegalArgumentException if it is no size, or a smaller one
   */
  @CheckReturnValue
  public BodyMemory perAddress(String size) {
    return new BodyMemory(parts.budget(), checked("perAddress", size));
  }

  /** Returns the size of the budget, in bytes. */
  public long budget() {
    return parts.budget();
  }

  /** Returns how many bytes are taken now. */
  public long held() {
    return parts.held();
  }

  /** Returns the most bytes that were taken at any time. */
  public long mostHeld() {
    return parts.mostHeld();
  }

  /** Returns how many bodies wait for room now. */
  public int waiting() {
    return waiting;
  }

  /** Returns the most bytes that one body may take: three eighths of the budget. */
  public long mostOfOne() {
    return Math.min(parts.mostOfOne(), addresses.most());
  }

  /**
   * Returns whether engines may read ahead of handlers: less than a quarter of the budget is taken
   * by shares and unread bytes, and no body waits.
   */
  public boolean isPlenty() {
    return waiting == 0 && mayReadAhead();
  }

  /**
   * Returns whether less than a quarter of the budget is taken by shares and unread bytes, also
   * while bodies wait.
   */
  public boolean mayReadAhead() {
    return parts.mayReadAhead(1);
  }

  /** Returns whether shares and unread bytes fill their whole part of the budget. */
  public boolean isFull() {
    return !parts.maySmall(1);
  }

  /**
   * Creates the share of a connection; engines do.
   *
   * @param address that of the peer, as text; empty if it is not known
   */
  public Share share(String address) {
    return new Share(addresses.isNone() ? "" : IpText.network(address));
  }

  @Override
  public String toString() {
    return held() + " of " + budget() + " bytes, " + waiting + " waiting";
  }

  /** What the exchanges of one connection take. */
  public final class Share {

    private final String address;

    /** The bytes that all its exchanges take; changed under the lock. */
    long taken;

    private Share(String address) {
      this.address = address;
    }

    String address() {
      return address;
    }

    /** Creates the room of an exchange, which takes nothing yet. */
    public Room room() {
      return new Room(this);
    }
  }

  /** The bytes that one exchange takes, until the exchange is over. */
  public final class Room {

    private final RoomUse use;
    private @Nullable Waiting asking;

    private Room(Share share) {
      this.use = new RoomUse(share, parts, addresses);
    }

    RoomUse use() {
      return use;
    }

    /** Returns the budget that this is a part of. */
    public BodyMemory memory() {
      return BodyMemory.this;
    }

    /** Returns how many bytes are taken. */
    public long taken() {
      synchronized (lock) {
        return use.taken();
      }
    }

    /** Returns whether the body was admitted: it has room beyond the share of its connection. */
    public boolean isLarge() {
      synchronized (lock) {
        return use.isLarge();
      }
    }

    /**
     * Takes room for what an engine reads ahead, if there is plenty.
     *
     * @param total how many bytes the exchange then takes in all
     * @return whether there is
     */
    public boolean readAhead(long total) {
      synchronized (lock) {
        return waiting == 0 && use.fits(total, total, Purpose.READ_AHEAD);
      }
    }

    /**
     * Returns whether the engine may read a whole piece: the body was admitted, or the piece fits
     * in the part of the budget for reading ahead and no body waits. Waiting bodies do not matter
     * to a body that is read as a stream.
     */
    public boolean mayRead(int bytes) {
      synchronized (lock) {
        boolean maySome = waiting == 0 || use.isStream();
        return use.isLarge() || (maySome && !use.isOver() && parts.mayReadAhead(bytes));
      }
    }

    /**
     * Counts bytes that the engine has read, even if there is no room.
     *
     * @param total how many bytes of the body have arrived in all
     */
    public void note(long total) {
      synchronized (lock) {
        use.note(total);
      }
    }

    /**
     * Stops counting bytes that have arrived, such as those that a stream has returned.
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

    /** Releases what was taken: the exchange is over, and gets nothing any more. */
    public void release() {
      Waiting left;
      synchronized (lock) {
        use.release();
        left = asking;
      }
      if (left != null) {
        BodyMemory.this.refuse(left);
      }
      grant();
    }

    /**
     * Refuses what is waited for, as when the time has passed, if an engine needs the thread.
     *
     * @return whether anything was waited for
     */
    public boolean refuse() {
      Waiting refused;
      synchronized (lock) {
        refused = asking;
      }
      if (refused == null) {
        return false;
      }
      BodyMemory.this.refuse(refused);
      return true;
    }

    /** Returns whether it was released. */
    public boolean isOver() {
      synchronized (lock) {
        return use.isOver();
      }
    }

    /**
     * Takes room, if there is any and no other body waits for it.
     *
     * @param total how many bytes the exchange then takes in all
     * @param purpose what for
     * @return whether there was
     */
    public boolean take(long total, Purpose purpose) {
      boolean taken;
      synchronized (lock) {
        taken = takes(total, total, purpose);
      }
      grantPassedOver();
      return taken;
    }

    /** Takes room of a known size, or waits for it in order. */
    public void await(long total, Purpose purpose, Duration patience, OnRoom callback) {
      await(total, total, purpose, patience, callback);
    }

    /**
     * Takes room, or waits for it in order. An admitted body that asks for more than its claim does
     * not wait.
     *
     * @param total how many bytes the exchange then takes in all
     * @param most how many bytes it may ask for while the body is read; {@code total} if it will
     *     not ask again. The first call claims them
     * @param purpose what for
     * @param patience how long it waits at most
     * @param callback is called once, perhaps within this call
     */
    public void await(long total, long most, Purpose purpose, Duration patience, OnRoom callback) {
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
        grantPassedOver();
        callback.decided(granted);
        return;
      }
      Waiting late = wait;
      wait.expiry(DaemonTimer.after(patience, () -> BodyMemory.this.refuse(late)));
      grant(); // there may have been some since
    }

    private boolean takes(long total, long most, Purpose purpose) {
      return use.has(total)
          || (queues.mayPass(use.queue(total, most, purpose)) && use.fits(total, most, purpose));
    }
  }

  /** Grants room to those that wait, as far as there is any. */
  private void grant() {
    if (waiting == 0) {
      return;
    }
    List<Waiting> granted = new ArrayList<>();
    synchronized (lock) {
      queues.grantTo(granted);
      granted.forEach(one -> one.room().asking = null);
      countWaiting();
    }
    granted.forEach(one -> one.tell(true));
  }

  /** Grants room to bodies queued after one whose address has just reached its limit. */
  private void grantPassedOver() {
    if (!addresses.isNone()) {
      grant();
    }
  }

  /** Ends the waiting of one, unless that has been done. */
  private void refuse(Waiting one) {
    synchronized (lock) {
      if (!queues.remove(one)) {
        return;
      }
      one.room().asking = null;
      countWaiting();
    }
    one.tell(false);
    grant(); // later bodies in the queue may need less
  }

  /** Returns whether the invariant of growing bodies holds, for tests. */
  boolean oldestCanFinish() {
    synchronized (lock) {
      return parts.oldestCanFinish();
    }
  }

  /** Grants room to waiting bodies; returns whether any was waiting in vain, for tests. */
  boolean someWaitInVain() {
    int before = waiting;
    grant();
    return waiting < before;
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
      throw new IllegalArgumentException(option + "(\"" + size + "\"): less than 64 KiB");
    }
    return bytes;
  }
}
