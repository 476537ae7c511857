package dev.percolate.nio;

/** A connection of an event loop. All methods except {@link #checkHeld} are called on the loop. */
interface LoopMember {

  /**
   * Reads or writes, as the socket allows.
   *
   * @param operations ready operations, see {@link java.nio.channels.SelectionKey}
   */
  void ready(int operations);

  /** Passes the output of this iteration to the system. */
  void flush();

  /** Continues work that was deferred to this iteration. */
  void goOn();

  /** Checks timeouts. Called periodically. */
  void check(long now);

  /** Returns true if nothing is in progress. */
  boolean rests();

  /**
   * Checks timeouts on another thread while a handler blocks the loop.
   *
   * @param since when the loop was blocked
   */
  void checkHeld(long now, long since);

  /** Closes the connection immediately, because the loop ends or after a failure. */
  void closeNow();

  /** Returns the index among the connections of the loop. */
  int place();

  /** Sets the index. */
  void place(int place);
}
