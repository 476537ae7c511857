package dev.percolate.http2;

/** The streams of a connection that closed most recently. Special rules apply to frames on them. */
final class RecentStreams {

  private static final int MOST = 256;

  /** Stream identifiers, negated if the server has reset the stream. */
  private final int[] ids = new int[MOST];

  private int next;

  void add(int id, boolean reset) {
    ids[next] = reset ? -id : id;
    next = (next + 1) % MOST;
  }

  /** Returns true if the server has reset the stream, which the client may not know yet. */
  boolean wasReset(int id) {
    return has(-id);
  }

  /** Returns true if the stream ended normally or the client reset it. */
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
