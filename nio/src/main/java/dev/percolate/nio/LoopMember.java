package dev.percolate.nio;

/** What a loop looks after; all is called on the loop's thread. */
interface LoopMember {

  /**
   * Does what has become possible.
   *
   * @param operations as of {@link java.nio.channels.SelectionKey}
   */
  void ready(int operations);

  /** Gives the kernel what was written in this turn. */
  void flush();

  /** Goes on with what was left for another turn. */
  void goOn();

  /** Looks whether anything takes too long; now and then. */
  void check(long now);

  /** Ends at once, since the loop does, or since something has gone wrong. */
  void closeNow();

  /** Returns where it stands among those of its loop. */
  int place();

  /** Learns where it stands. */
  void place(int place);
}
