package dev.percolate.nio;

import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Paused connections, in the order in which their pauses end. Used on one event loop only. */
final class ResumeTimer {

  private final Queue<Pause> all = new PriorityQueue<>();

  private record Pause(LoopMember member, long end) implements Comparable<Pause> {

    @Override
    public int compareTo(Pause other) {
      return Long.signum(end - other.end); // the clock may overflow
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void add(LoopMember member, long end) {
    all.add(new Pause(member, end));
  }

  /** Returns the milliseconds until the next pause ends, rounded up, at most {@code most}. */
  long millisToNext(long most) {
    Pause next = all.peek();
    if (next == null) {
      return most;
    }
    long left = TimeUnit.NANOSECONDS.toMillis(next.end - System.nanoTime()) + 1;
    return Math.max(1, Math.min(most, left));
  }

  /** Removes and returns a connection whose pause is over; null if there is none. */
  @Nullable LoopMember poll(long now) {
    Pause next = all.peek();
    if (next == null || next.end - now > 0) {
      return null;
    }
    all.remove();
    return next.member;
  }
}
