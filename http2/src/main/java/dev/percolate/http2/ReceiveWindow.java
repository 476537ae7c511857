package dev.percolate.http2;

/** How much a client may still send, on a stream or in all (RFC 9113 section 5.2). */
final class ReceiveWindow {

  private final int much;
  private long left;
  private int unreturned;

  /**
   * Creates a window.
   *
   * @param size how much may come at first
   * @param much how much is given back at once, so that few frames do
   */
  ReceiveWindow(int size, int much) {
    this.left = size;
    this.much = much;
  }

  /** Takes some; tells whether that was allowed. */
  boolean take(int bytes) {
    left -= bytes;
    return left >= 0;
  }

  /**
   * Gives some back.
   *
   * @return what the client is to be told; 0 if that can wait
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
