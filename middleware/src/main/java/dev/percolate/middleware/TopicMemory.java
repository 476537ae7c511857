package dev.percolate.middleware;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The messages of one topic that this process remembers: as many as the topic keeps, for clients
 * that come back, and those of the last seconds, for sockets that join after they have been opened.
 * Not safe for use by several threads.
 */
final class TopicMemory {

  /** How long after its beginning a socket that joins misses nothing. */
  private static final long RECENT = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_RECENT = 1000;

  /** How much the clocks of the bus and of this machine may differ. */
  private static final long CLOCKS = TimeUnit.SECONDS.toNanos(1);

  private final int keep;
  private final long most;
  private final Deque<TopicEntry> kept = new ArrayDeque<>();
  private final Deque<TopicEntry> recent = new ArrayDeque<>();
  private long recentSize;

  /**
   * Creates an empty memory.
   *
   * @param keep how many messages are kept
   * @param most how many characters those of the last seconds may have
   */
  TopicMemory(int keep, long most) {
    this.keep = keep;
    this.most = most;
  }

  /**
   * Returns when a message was sent, by {@link System#nanoTime}, if its id is the time of day in
   * microseconds; rather too late, by what clocks may differ.
   */
  static long sent(long id, long now) {
    long age = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) - id;
    return now - TimeUnit.MICROSECONDS.toNanos(Math.max(0, age)) + CLOCKS;
  }

  void add(TopicEntry entry, long now) {
    kept.add(entry);
    while (kept.size() > keep) {
      kept.remove();
    }
    recent.add(entry);
    recentSize += entry.json().length();
    while (recent.size() > MOST_RECENT
        || recentSize > most
        || (!recent.isEmpty() && now - recent.element().received() > RECENT)) {
      recentSize -= recent.remove().json().length();
    }
  }

  List<TopicEntry> keptAfter(long id) {
    return kept.stream().filter(entry -> entry.id() > id).toList();
  }

  /** Returns those of the last seconds that were received at a time, or later. */
  List<TopicEntry> receivedSince(long time) {
    return recent.stream().filter(entry -> entry.received() - time >= 0).toList();
  }
}
