package dev.percolate.http2;

/** The streams of a connection that have ended last: what comes on them has its own rules. */
final class RecentStreams {

  private static final int MOST = 256;

  /** Numbers of streams, less than nothing where we have reset them. */
  private final int[] ids = new int[MOST];

  private int next;

  void add(int id, boolean reset) {
    ids[next] = reset ? -id : id;
    next = (next + 1) % MOST;
  }

  /** Tells whether we have reset a stream, so that the client may not have known so. */
  boolean wasReset(int id) {
    return has(-id);
  }

  /** Tells whether a stream has ended by its last frame, or was reset by the client. */
  boolean hasEnded(int id) {
    return has(id);
  }

  private boolean has(int wanted) {
    for (int id : ids) {
      if (id == wanted) {
        return true;
      }
    }
    return false;
  }
}
