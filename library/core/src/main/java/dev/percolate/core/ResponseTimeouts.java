package dev.percolate.core;

import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.RestartingTask;
import dev.percolate.engine.SafeLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Periodically checks which requests of an application have no response yet.
 *
 * <p>One timer serves all requests. It fires at least once a second, and more often if a timeout is
 * short. There is no timer while no request waits. Waiting requests are kept in several doubly
 * linked lists, to reduce lock contention. The entries themselves are the links.
 */
final class ResponseTimeouts {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final int LISTS = 16;
  private static final long LONGEST = Duration.ofSeconds(1).toNanos();
  private static final long SHORTEST = Duration.ofMillis(1).toNanos();

  /** The number of checks within the shortest timeout. */
  private static final int LOOKS = 8;

  /** The time after its first request during which an application is cold. */
  private static final long COLD = Duration.ofSeconds(10).toNanos();

  private final Waiting[] lists = new Waiting[LISTS];
  private volatile long every = LONGEST;

  /** The number of timers that were started. Only the last one checks entries when it fires. */
  private int timer;

  private volatile boolean set;

  /** The time of the first call of {@link #isCold}; 0 before it. */
  private volatile long first;

  ResponseTimeouts() {
    for (int i = 0; i < LISTS; i++) {
      lists[i] = new Waiting();
    }
  }

  /** A waiting request. It is in at most one list. */
  abstract static class Entry {

    private @Nullable Entry before;
    private @Nullable Entry after;
    private @Nullable Waiting list;

    /** The time of the next check, by {@link System#nanoTime}. */
    private volatile long due;

    /**
     * Called when the entry is due, by one thread at a time. It sets the next time or removes the
     * entry.
     */
    abstract void look(long now);
  }

  /** The entries of one list, oldest first. Its monitor guards their links. */
  private static final class Waiting {

    private @Nullable Entry first;
    private @Nullable Entry last;

    synchronized void add(Entry entry) {
      if (entry.list != null) {
        return;
      }
      entry.list = this;
      entry.before = last;
      if (last == null) {
        first = entry;
      } else {
        last.after = entry;
      }
      last = entry;
    }

    synchronized void remove(Entry entry) {
      if (entry.list != this) {
        return;
      }
      Entry before = entry.before;
      Entry after = entry.after;
      if (before == null) {
        first = after;
      } else {
        before.after = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.before = before;
      }
      entry.before = null;
      entry.after = null;
      entry.list = null;
    }

    synchronized void collect(long now, List<Entry> into) {
      for (Entry entry = first; entry != null; entry = entry.after) {
        if (now - entry.due >= 0) {
          into.add(entry);
        }
      }
    }

    synchronized boolean isEmpty() {
      return first == null;
    }
  }

  /**
   * Returns true if a request that begins now is among the first ones of the application. They are
   * slow, because most classes are loaded by them.
   */
  boolean isCold(long now) {
    if (first == 0) {
      first = now; // several first requests may write this, with nearly the same time
    }
    return now - first < COLD;
  }

  /**
   * Adds an entry, or changes the time of its check.
   *
   * @param now the current time
   * @param nanos the time until the check, in nanoseconds
   */
  void add(Entry entry, long now, long nanos) {
    entry.due = now + nanos;
    Waiting list = entry.list;
    if (list == null) {
      list = lists[(int) Thread.currentThread().getId() & (LISTS - 1)];
      list.add(entry);
    }
    long wanted = Math.max(SHORTEST, nanos / LOOKS);
    if (!set || wanted < every) {
      begin(Math.min(wanted, LONGEST));
    }
  }

  /** Removes an entry if it is present. */
  void remove(Entry entry) {
    Waiting list = entry.list;
    if (list != null) {
      list.remove(entry);
    }
  }

  private synchronized void begin(long wanted) {
    if (wanted < every) {
      every = wanted;
      set = false;
    }
    if (!set) {
      start();
      set = true; // after start(): if that fails, a later call must try again
    }
  }

  private void start() {
    int mine = timer + 1;
    DaemonTimer.after(
        Duration.ofNanos(every), new RestartingTask("response timeout watch", () -> look(mine)));
    timer = mine;
  }

  private void look(int mine) {
    if (!isLast(mine)) {
      return;
    }
    long now = System.nanoTime();
    List<Entry> due = new ArrayList<>();
    for (Waiting list : lists) {
      list.collect(now, due);
    }
    for (Entry entry : due) {
      look(entry, now);
    }
    goOn(mine);
  }

  /** Checks one entry. Logs a failure, so that the other entries are still checked. */
  private static void look(Entry entry, long now) {
    try {
      entry.look(now);
    } catch (Throwable e) {
      SafeLog.log(LOG, Level.ERROR, "checking a request without a response failed", e);
    }
  }

  private synchronized boolean isLast(int mine) {
    return mine == timer;
  }

  /** Restarts the timer if an entry is waiting. */
  private synchronized void goOn(int mine) {
    if (mine != timer) {
      return;
    }
    set = false; // before the check: entries added from now on start the timer
    for (Waiting list : lists) {
      if (!list.isEmpty()) {
        start();
        set = true;
        return;
      }
    }
    every = LONGEST;
  }
}
