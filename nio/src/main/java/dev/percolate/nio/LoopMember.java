package dev.percolate.nio;

/** What a loop looks after; all but {@link #checkHeld} is called on its thread. */
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

  /** Tells whether nothing is under way. */
  boolean rests();

  /**
   * Looks whether the client takes too long, while a step holds the loop; on another thread.
   *
   * @param since how long the loop has been held
   */
  void checkHeld(long now, long since);

  /** Ends at once, since the loop does, or since something has gone wrong. */
  void closeNow();

  /** Returns where it stands among those of its loop. */
  int place();

  /** Learns where it stands. */
  void place(int place);
}
