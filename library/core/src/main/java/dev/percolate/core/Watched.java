package dev.percolate.core;

/** Receives events of a request that waits for its response. */
interface Watched {

  /** Called when a response starts, or the client has disconnected. */
  void answered();

  /** Called when a response could not be created, and another may follow. */
  void watchAgain();
}
