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
 * Looks now and then at the requests of one application that nobody has answered.
 *
 * <p>There is no timer for each request, only one look over all of them: at the longest once a
 * second, more often where a time is short. What waits stands in linked lists whose links are the
 * entries themselves, several lists so that threads seldom meet. While nothing waits there is no
 * timer.
 */
final class AnswerWatch {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final int LISTS = 16;
  private static final long LONGEST = Duration.ofSeconds(1).toNanos();
  private static final long SHORTEST = Duration.ofMillis(1).toNanos();

  /** Looks are so many times as frequent as the shortest time. */
  private static final int LOOKS = 8;

  private final Waiting[] lists = new Waiting[LISTS];
  private volatile long every = LONGEST;

  /** Counts the timers: all but the last do nothing when they go off. */
  private int timer;

  private volatile boolean set;

  AnswerWatch() {
    for (int i = 0; i < LISTS; i++) {
      lists[i] = new Waiting();
    }
  }

  /** What waits; it is in one list at most. */
  abstract static class Entry {

    private @Nullable Entry before;
    private @Nullable Entry after;
    private @Nullable Waiting list;

    /** When it is to be looked at next, by {@link System#nanoTime}. */
    private volatile long due;

    /** Is called when the time has come, by one thread at a time; it sets the next or leaves. */
    abstract void look(long now);
  }

  /** The entries of one list, from the oldest on; its monitor guards their links. */
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
   * Adds an entry, or changes when it is looked at.
   *
   * @param now the time
   * @param nanos how long from now on
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

  /** Removes an entry, if it is there. */
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
      set = true; // last: if the call above fails, a later one must try again
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

  /** Sets the timer again, while something waits. */
  private synchronized void goOn(int mine) {
    if (mine != timer) {
      return;
    }
    set = false; // before looking: who adds from now on sets it
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
