package dev.percolate.engine;

/**
 * The action after a fatal error of a server: an event loop, or the thread that accepts
 * connections, has failed and cannot be restarted. Set by {@link ListenOptions#onFatalError}.
 *
 * <p>Other failures are not fatal. An {@link Error} in a handler, such as an {@link
 * OutOfMemoryError} for one buffer, ends that request with 500. Background threads, such as timers,
 * the log writer and the shutdown, continue or are restarted, with a warning.
 */
public enum FatalErrorPolicy {

  /**
   * Ends the process with status 3 and a line on standard error, so that a supervisor such as
   * systemd or Kubernetes restarts it. Inside a servlet container this is {@link #CLOSE_SERVER}.
   */
  END_PROCESS,

  /**
   * Closes the server, which releases its port, and logs an error. The process continues; {@link
   * Server#closed} completes.
   */
  CLOSE_SERVER
}
