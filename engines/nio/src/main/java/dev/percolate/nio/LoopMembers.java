package dev.percolate.nio;

import dev.percolate.engine.SafeLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of an event loop, and those that are paused. Used on the loop only. */
final class LoopMembers {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** All connections. Each one knows its index. */
  private final List<LoopMember> all = new ArrayList<>();

  /** The pauses, in the order in which they end. */
  private final Queue<Pause> pauses = new PriorityQueue<>();

  private record Pause(LoopMember member, long end) implements Comparable<Pause> {

    @Override
    public int compareTo(Pause other) {
      return Long.signum(end - other.end); // the clock may overflow
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  LoopMember get(int place) {
    return all.get(place);
  }

  void add(LoopMember member) {
    member.place(all.size());
    all.add(member);
  }

  void replace(LoopMember before, LoopMember after) {
    after.place(before.place());
    all.set(before.place(), after);
  }

  void remove(LoopMember member) {
    LoopMember last = all.remove(all.size() - 1);
    if (last != member) {
      all.set(member.place(), last);
      last.place(member.place());
    }
  }

  boolean has(LoopMember member) {
    int place = member.place();
    return place < all.size() && all.get(place) == member;
  }

  boolean isAnyPaused() {
    return !pauses.isEmpty();
  }

  void pause(LoopMember member, long end) {
    pauses.add(new Pause(member, end));
  }

  /** Returns the milliseconds until the next pause ends, rounded up, at most {@code most}. */
  long millisToResume(long most) {
    Pause next = pauses.peek();
    if (next == null) {
      return most;
    }
    long left = TimeUnit.NANOSECONDS.toMillis(next.end - System.nanoTime()) + 1;
    return Math.max(1, Math.min(most, left));
  }

  /** Returns a connection whose pause is over, and forgets the pause; null if there is none. */
  @Nullable LoopMember resumed(long now) {
    Pause next = pauses.peek();
    if (next == null || next.end - now > 0) {
      return null;
    }
    pauses.remove();
    return next.member;
  }

  /** Closes a connection. Logs a failure. Never throws. */
  static void close(LoopMember member) {
    try {
      member.closeNow();
    } catch (Throwable e) {
      SafeLog.log(LOG, Level.ERROR, "closing a connection failed", e);
    }
  }
}
