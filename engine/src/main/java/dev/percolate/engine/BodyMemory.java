package dev.percolate.engine;

import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.IpText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory that the bodies of requests take, by one budget: a quarter of the heap, unless
 * the system property {@code percolate.bodyMemory} or {@link ListenOptions#bodyMemory} says
 * otherwise.
 *
 * <p>What is kept of a body is counted before it is read, in the {@link Room} of its exchange,
 * until the exchange is over. A body for which there is no room is not asked for; it waits in
 * order, and after the time-out of bodies its request gets 503. The budget has two halves:
 *
 * <pre>
 *   small   what connections have within their share, 4 KiB each; half of it may be what engines
 *           read ahead though nobody has asked for it
 *   large   bodies beyond a share: while they come, up to three quarters of it, which is also the
 *           most that one of them may take; when they are parsed, the rest
 * </pre>
 *
 * <p>So a crowd of large bodies does not keep small ones waiting, and bodies that have come do not
 * wait for those to come.
 *
 * <p>Where there is a limit for each address, a body beyond it waits until others of its address
 * are over, and does not keep those of other addresses waiting. Any thread may use it.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // others read without the lock, but do not change
public final class BodyMemory {

  /** What a connection may keep of bodies although others have taken their part of the budget. */
  public static final int SHARE = 4 << 10;

  private static final int LEAST = 64 << 10;
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final BodyMemory OF_PROCESS = new BodyMemory(processBudget(), NO_LIMIT);

  private final long budget;
  private final long perAddress;
  private final Object lock = new Object();

  // All that follows changes under the lock alone.
  private volatile long small;
  private volatile long large;
  private volatile long mostHeld;
  private volatile int waiting;
  private final Set<Waiting> waitingSmall = new LinkedHashSet<>();
  private final Set<Waiting> waitingParsed = new LinkedHashSet<>();
  private final Set<Waiting> waitingBodies = new LinkedHashSet<>();
  private final Map<String, Long> ofAddresses = new HashMap<>();

  /** What room is asked for. */
  public enum Purpose {
    /** What the engine has read before anybody asked. */
    READ_AHEAD,
    /** What everybody may have at once. */
    SHARE,
    /** What is kept of a body while it is read. */
    BODY,
    /** What is made of a body. */
    PARSED
  }

  /** Is called when there is room, or when it is too late. */
  @FunctionalInterface
  public interface OnRoom {

    /**
     * Takes note.
     *
     * @param granted false if the time has passed, or the exchange is over
     */
    void decided(boolean granted);
  }

  private BodyMemory(long budget, long perAddress) {
    this.budget = budget;
    this.perAddress = perAddress;
  }

  /** Returns the budget that all servers of the process share unless they have one of their own. */
  public static BodyMemory ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Creates a budget.
   *
   * @param size its size, such as {@code 64mb}; at least 64 KiB
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
    return new BodyMemory(budget, checked("perAddress", size));
  }

  /** Returns the size of the budget, in bytes. */
  public long budget() {
    return budget;
  }

  /** Returns how many bytes are taken now. */
  public long held() {
    return small + large;
  }

  /** Returns the most bytes that were taken at any time. */
  public long mostHeld() {
    return mostHeld;
  }

  /** Returns how many bodies wait for room now. */
  public int waiting() {
    return waiting;
  }

  /** Returns the most bytes that one body may take. */
  public long mostOfOne() {
    return Math.min(mostLarge(Purpose.BODY), perAddress);
  }

  /**
   * Returns whether engines may read ahead what nobody has asked for. If not, they read no more of
   * a connection than a short head needs.
   */
  public boolean isPlenty() {
    return waiting == 0 && small < budget / 4;
  }

  /**
   * Creates the share of a connection; engines do.
   *
   * @param address that of the peer, as text; empty if it is not known
   */
  public Share share(String address) {
    return new Share(perAddress == NO_LIMIT ? "" : IpText.network(address));
  }

  @Override
  public String toString() {
    return held() + " of " + budget + " bytes, " + waiting + " waiting";
  }

  /** What the exchanges of one connection take. */
  public final class Share {

    private final String address;
    private long taken;

    private Share(String address) {
      this.address = address;
    }

    /** Creates the room of an exchange, which takes nothing yet. */
    public Room room() {
      return new Room(this);
    }
  }

  /** What one exchange takes: it grows, and is given back when the exchange is over. */
  public final class Room {

    private final Share share;
    private long taken;
    private boolean isLarge;
    private boolean over;
    private @Nullable Waiting asking;

    private Room(Share share) {
      this.share = share;
    }

    /** Returns the budget that this is a part of. */
    public BodyMemory memory() {
      return BodyMemory.this;
    }

    /** Returns how many bytes are taken. */
    public long taken() {
      synchronized (lock) {
        return taken;
      }
    }

    /** Returns whether room was made for more than a connection has a share of. */
    public boolean isLarge() {
      synchronized (lock) {
        return isLarge;
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
        return waiting == 0 && fits(total, Purpose.READ_AHEAD);
      }
    }

    /**
     * Counts what has been read already, whether there is room or not.
     *
     * @param total how many bytes the exchange then takes in all
     */
    public void note(long total) {
      synchronized (lock) {
        if (total > taken && !over) {
          add(total - taken);
        }
      }
    }

    /** Releases what was taken: the exchange is over, and gets nothing any more. */
    public void release() {
      Waiting left;
      synchronized (lock) {
        over = true;
        left = asking;
        add(-taken);
      }
      if (left != null) {
        decide(left, false);
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
      decide(refused, false);
      grant(); // those behind it may need less
      return true;
    }

    /** Returns whether it was given back. */
    public boolean isOver() {
      synchronized (lock) {
        return over;
      }
    }

    /**
     * Takes room, if there is any and nobody else waits for it.
     *
     * @param total how many bytes the exchange then takes in all
     * @param purpose what for
     * @return whether there was
     */
    public boolean take(long total, Purpose purpose) {
      synchronized (lock) {
        boolean there = isLarge && total <= taken;
        return there || (queue(total, purpose).isEmpty() && fits(total, purpose));
      }
    }

    /**
     * Takes room, or waits for it behind those that wait already.
     *
     * @param total how many bytes the exchange then takes in all
     * @param purpose what for
     * @param patience how long it waits at most
     * @param callback is called once, perhaps within this call
     */
    public void await(long total, Purpose purpose, Duration patience, OnRoom callback) {
      boolean granted = take(total, purpose);
      Waiting wait = null;
      if (!granted) {
        synchronized (lock) {
          if (!over) {
            wait = new Waiting(this, total, purpose, callback);
            asking = wait;
            queue(total, purpose).add(wait);
            countWaiting();
          }
        }
      }
      if (wait == null) {
        callback.decided(granted);
        return;
      }
      Waiting late = wait;
      wait.expiry =
          DaemonTimer.after(
              patience,
              () -> {
                decide(late, false);
                grant(); // those behind it may need less
              });
      grant(); // there may have been some since
    }

    /**
     * Returns where those wait that want the same. Bodies that have come wait apart from those to
     * come: these get their room when those are over.
     */
    private Set<Waiting> queue(long total, Purpose purpose) {
      if (purpose == Purpose.SHARE || isSmall(Math.max(taken, total))) {
        return waitingSmall;
      }
      return purpose == Purpose.PARSED ? waitingParsed : waitingBodies;
    }

    private boolean isSmall(long total) {
      return !isLarge && share.taken + total - taken <= SHARE;
    }

    private boolean fits(long total, Purpose purpose) {
      long more = Math.max(0, total - taken);
      boolean asBefore = purpose == Purpose.READ_AHEAD || purpose == Purpose.SHARE;
      boolean staysSmall = !isLarge && (asBefore || isSmall(taken + more));
      if (more == 0 && (isLarge || staysSmall)) {
        return true;
      }
      boolean fits;
      if (staysSmall) {
        fits = small + more <= budget / (purpose == Purpose.READ_AHEAD ? 4 : 2);
      } else {
        fits = large + (isLarge ? more : taken + more) <= mostLarge(purpose);
      }
      if (!fits || over || isBeyond(more)) {
        return false;
      }
      if (!staysSmall && !isLarge) {
        isLarge = true;
        small -= taken;
        large += taken;
      }
      add(more);
      return true;
    }

    /** Returns whether that is too much for one address. */
    private boolean isBeyond(long more) {
      return perAddress != NO_LIMIT
          && ofAddresses.getOrDefault(share.address, 0L) + more > perAddress;
    }

    private void add(long bytes) {
      taken += bytes;
      share.taken += bytes;
      if (isLarge) {
        large += bytes;
      } else {
        small += bytes;
      }
      mostHeld = Math.max(mostHeld, held());
      if (perAddress != NO_LIMIT) {
        long all = ofAddresses.merge(share.address, bytes, Long::sum);
        if (all == 0) {
          ofAddresses.remove(share.address);
        }
      }
    }
  }

  /** One body that waits. */
  private static final class Waiting {

    private final Room room;
    private final long total;
    private final Purpose purpose;
    private final OnRoom callback;
    private volatile @Nullable Runnable expiry; // cancels it

    Waiting(Room room, long total, Purpose purpose, OnRoom callback) {
      this.room = room;
      this.total = total;
      this.purpose = purpose;
      this.callback = callback;
    }
  }

  private void countWaiting() {
    waiting = waitingSmall.size() + waitingParsed.size() + waitingBodies.size();
  }

  private long mostLarge(Purpose purpose) {
    return budget / 8 * (purpose == Purpose.PARSED ? 4 : 3);
  }

  /** Grants room to those that wait, as far as there is any. */
  private void grant() {
    if (waiting == 0) {
      return;
    }
    List<Waiting> granted = new ArrayList<>();
    synchronized (lock) {
      collect(waitingSmall, granted);
      collect(waitingParsed, granted);
      collect(waitingBodies, granted);
      countWaiting();
    }
    for (Waiting one : granted) {
      tell(one, true);
    }
  }

  /** Takes out of a queue those for which there is room, in order. */
  private void collect(Set<Waiting> queue, List<Waiting> granted) {
    boolean full = false;
    for (Iterator<Waiting> all = queue.iterator(); all.hasNext() && !full; ) {
      Waiting one = all.next();
      if (one.room.fits(one.total, one.purpose)) {
        all.remove();
        one.room.asking = null;
        granted.add(one);
      } else {
        full = !one.room.isBeyond(one.total - one.room.taken);
      }
    }
  }

  /** Ends the waiting of one, unless that has been done. */
  private void decide(Waiting one, boolean granted) {
    synchronized (lock) {
      if (!waitingSmall.remove(one) && !waitingParsed.remove(one) && !waitingBodies.remove(one)) {
        return;
      }
      one.room.asking = null;
      countWaiting();
    }
    tell(one, granted);
  }

  private static void tell(Waiting one, boolean granted) {
    Runnable expiry = one.expiry;
    if (expiry != null) {
      expiry.run();
    }
    one.callback.decided(granted);
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
