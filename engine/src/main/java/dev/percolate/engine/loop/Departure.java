package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;

/** The time in which a server that is about to close still serves new clients. */
public final class Departure {

  private volatile boolean begun;

  /** Creates the departure of one server, which has not begun. */
  public Departure() {}

  /** Tells whether the server is leaving, or has left: its answers say that they are the last. */
  public boolean hasBegun() {
    return begun;
  }

  /**
   * Begins, and returns when accepting is to end.
   *
   * @param options say when that is
   */
  public void announce(ListenOptions options) {
    begun = true;
    try {
      Thread.sleep(options.announce().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // who closes is in a hurry
    }
  }
}
