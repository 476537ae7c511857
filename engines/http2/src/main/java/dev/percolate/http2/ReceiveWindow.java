package dev.percolate.http2;

/**
 * A flow-control window: how many bytes a client may still send, on a stream or a connection (RFC
 * 9113 section 5.2).
 */
final class ReceiveWindow {

  private final int much;
  private long left;
  private int unreturned;

  /**
   * Creates a window.
   *
   * @param size the initial size, in bytes
   * @param much the number of bytes to collect before they are returned in one WINDOW_UPDATE
   */
  ReceiveWindow(int size, int much) {
    this.left = size;
    this.much = much;
  }

  /** Takes bytes from the window. Returns false if the client has sent too many. */
  boolean take(int bytes) {
    left -= bytes;
    return left >= 0;
  }

  /**
   * Adds consumed bytes to the window.
   *
   * @return the increment to send to the client; 0 to send none yet
   */
  int giveBack(int bytes) {
    unreturned += bytes;
    if (unreturned < much) {
      return 0;
    }
    int all = unreturned;
    unreturned = 0;
    left += all;
    return all;
  }
}
