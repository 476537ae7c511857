package dev.percolate.nio;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Who goes on after a pause, in the order in which the pauses end; used on one loop only. */
final class Pauses {

  private final Queue<Pause> all = new PriorityQueue<>();

  private record Pause(LoopMember member, long end) implements Comparable<Pause> {

    @Override
    public int compareTo(Pause other) {
      return Long.signum(end - other.end); // as the clock may turn over
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void add(LoopMember member, long end) {
    all.add(new Pause(member, end));
  }

  /** Returns in how many milliseconds the next pause is over, rounded up, but at most so many. */
  long millisToNext(long most) {
    Pause next = all.peek();
    if (next == null) {
      return most;
    }
    long left = TimeUnit.NANOSECONDS.toMillis(next.end - System.nanoTime()) + 1;
    return Math.max(1, Math.min(most, left));
  }

  /** Takes out one whose pause is over; null if there is none. */
  @Nullable LoopMember poll(long now) {
    Pause next = all.peek();
    if (next == null || next.end - now > 0) {
      return null;
    }
    all.remove();
    return next.member;
  }
}
