package dev.percolate.nio.protocol;

/** The state of a {@link Protocol} on one connection. Used on its event loop only. */
public interface ProtocolHandler {

  /** Sends what the server must send before it has received anything. */
  void begin();

  /**
   * Receives bytes. Bytes that are needed later must be copied.
   *
   * @param bytes the buffer, which must not be used after the call
   */
  void take(byte[] bytes, int from, int to);

  /** Returns the maximum number of bytes to read at once; 0 to stop reading. */
  int mostRead();

  /** Continues in another iteration, as requested by {@link ProtocolConnection#goOnLater}. */
  void goOn();

  /** Called when the system may have accepted some of the written bytes. */
  void flushed();

  /** Checks timeouts. Called periodically. */
  void check(long now);

  /** Called when the client has closed its output: it has left, or waits for responses. */
  void endInput();

  /**
   * Returns true if no request is in progress. Connections that are idle for too long are closed.
   */
  boolean isIdle();

  /** Called when the connection is closed. All its requests have ended. */
  void closed();
}
