package dev.percolate.nio.loop;

import dev.percolate.engine.ListenOptions;

/** The phase before a shutdown in which a server still accepts new clients. */
public final class Departure {

  private volatile boolean begun;

  /** Creates the phase of a server, which has not begun. */
  public Departure() {}

  /** Returns true if the server announces its shutdown in responses, or has been closed. */
  public boolean hasBegun() {
    return begun;
  }

  /**
   * Begins the phase, and waits until accepting must stop.
   *
   * @param options the options with the duration
   */
  public void announce(ListenOptions options) {
    begun = true;
    try {
      Thread.sleep(options.announce().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // end the phase early
    }
  }
}
