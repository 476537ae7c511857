package dev.percolate.testkit;

/** Carries one call and its answer over a connection, in memory or by a socket. */
interface Line {

  /** Returns what the answer comes in by. */
  IncomingReply answer();

  /** Sends a piece of the body, which nobody else changes any more. */
  void send(byte[] piece);

  /** Ends the body. */
  void finish();

  /** Returns how many bytes of the body the server's side has taken. */
  long accepted();

  /** Stops reading the answer, or reads on. */
  void pause(boolean paused);

  /** Closes the connection at once. */
  void hangUp();

  /** Sends the head of another call on the same connection. */
  Line then(Message next);

  /** Waits until no step and no hook of the call is left to run, where that can be known. */
  void settle();
}
