package dev.percolate.parsers;

import java.util.function.LongConsumer;

/** Counts the memory that one body takes while it is read, and reserves more if needed. */
final class MemoryShare {

  /** The memory to reserve at first for a body of unknown length, in bytes. */
  private static final long FIRST = 256 << 10;

  /**
   * The memory that a body may take without a reservation, in bytes: the share of its connection.
   */
  private static final long LITTLE = 4 << 10;

  private final LongConsumer room;
  private long granted = LITTLE;
  private long taken;

  /**
   * Creates a count of zero.
   *
   * @param room reserves the given number of bytes in all, or throws
   */
  MemoryShare(LongConsumer room) {
    this.room = room;
  }

  /**
   * Returns the memory to reserve at first for a body of unknown length, besides its work space.
   */
  static long first(long limit) {
    return Math.max(0, Math.min(limit, FIRST));
  }

  /** Counts more bytes, before they are allocated. */
  void add(long bytes) {
    taken += bytes;
    if (taken > granted) {
      room.accept(taken);
      granted = taken;
    }
  }
}
