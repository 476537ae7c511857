package dev.percolate.middleware.topic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The messages of one topic that this process stores: as many as the topic keeps, for clients that
 * reconnect, and those of the last seconds, for sockets that join after they were opened. Not
 * thread-safe.
 */
public final class TopicMemory {

  /** The time after its opening within which a socket can join without missing messages. */
  private static final long RECENT = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_RECENT = 1000;

  /** The maximum difference between the clocks of the bus and of this machine. */
  private static final long CLOCKS = TimeUnit.SECONDS.toNanos(1);

  private final int keep;
  private final long mostKept;
  private final long most;
  private final Deque<TopicEntry> kept = new ArrayDeque<>();
  private final Deque<TopicEntry> recent = new ArrayDeque<>();
  private long keptSize;
  private long recentSize;

  /**
   * Creates an empty memory.
   *
   * @param keep the number of messages to keep for clients that reconnect
   * @param mostKept the maximum number of their characters
   * @param most the maximum number of characters of recent messages
   */
  TopicMemory(int keep, long mostKept, long most) {
    this.keep = keep;
    this.mostKept = mostKept;
    this.most = most;
  }

  /**
   * Returns the time at which a message was sent, by {@link System#nanoTime}, if its id is the time
   * of day in microseconds. The result is late by {@link #CLOCKS}, so that no message is missed.
   *
   * @param micros the current time by the clock of the ids
   * @param now the current {@link System#nanoTime}
   */
  public static long sent(long id, long micros, long now) {
    long age = micros - id;
    return now - TimeUnit.MICROSECONDS.toNanos(Math.max(0, age)) + CLOCKS;
  }

  public void add(TopicEntry entry, long now) {
    kept.add(entry);
    keptSize += entry.json().length();
    while (kept.size() > keep || (keptSize > mostKept && kept.size() > 1)) {
      keptSize -= kept.remove().json().length();
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

  /** Returns the recent messages that were received at or after a time. */
  List<TopicEntry> receivedSince(long time) {
    return recent.stream().filter(entry -> entry.received() - time >= 0).toList();
  }
}
