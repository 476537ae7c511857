package dev.percolate.nio.protocol;

/** What is spoken on one connection, by a {@link Protocol}; used on its loop only. */
public interface Session {

  /** Says what is to be said before anything has come. */
  void begin();

  /**
   * Takes what has come; what cannot be looked at yet has to be copied.
   *
   * @param bytes where it lies, not to be read later
   */
  void take(byte[] bytes, int from, int to);

  /** Returns how much may be read at once; nothing if it makes no sense to read now. */
  int mostRead();

  /** Goes on in another turn, which {@link Link#goOnLater} has asked for. */
  void goOn();

  /** Notes that the kernel may have taken something of what was written. */
  void flushed();

  /** Looks whether anything takes too long; now and then. */
  void check(long now);

  /** Notes that the client sends no more: it has gone, or waits for what it has asked for. */
  void endInput();

  /** Tells whether the client is expected to do something; one that is silent too long is left. */
  boolean isIdle();

  /** Notes that the connection is gone, with all that was under way on it. */
  void closed();
}
