package dev.percolate.parsers;

import java.util.function.LongConsumer;

/**
 * Counts what one body takes in memory while it is read, and asks for room where that is more than
 * was made before.
 */
final class MemoryShare {

  /** What an unknown length is taken for at first. */
  private static final long FIRST = 256 << 10;

  /** What a body may take without asking: the share of its connection. */
  private static final long LITTLE = 4 << 10;

  private final LongConsumer room;
  private long granted = LITTLE;
  private long taken;

  /**
   * Creates a count.
   *
   * @param room makes room for so many bytes in all if there is none for them yet, or throws
   */
  MemoryShare(LongConsumer room) {
    this.room = room;
  }

  /** Returns what a body of unknown length is given room for at first, beside its work space. */
  static long first(long limit) {
    return Math.max(0, Math.min(limit, FIRST));
  }

  /** Counts more, before it is taken. */
  void add(long bytes) {
    taken += bytes;
    if (taken > granted) {
      room.accept(taken);
      granted = taken;
    }
  }
}
