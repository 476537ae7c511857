package dev.percolate.testkit;

/** A call and its response on a connection, in memory or over a socket. */
interface OpenCall {

  /** Returns the response. */
  IncomingReply answer();

  /** Sends bytes of the body. The caller must not change the array afterwards. */
  void send(byte[] piece);

  /** Ends the body. */
  void finish();

  /** Returns the number of bytes of the body that the server side has accepted. */
  long accepted();

  /** Stops or resumes reading the response. */
  void pause(boolean paused);

  /** Closes the connection immediately. */
  void disconnect();

  /** Sends the head of another call on the same connection. */
  OpenCall then(Message next);

  /** Waits until all handlers and hooks of the call have returned, if this can be detected. */
  void settle();
}
