package dev.percolate.nio.protocol;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import java.util.concurrent.Executor;

/** The requests on all connections of a server, and its limits. May be used on any thread. */
public interface ServerLimits {

  /** Returns the service that responds to requests. */
  Service service();

  /** Returns the options of the server. */
  ListenOptions options();

  /** Returns the threads for blocking file operations. */
  Executor files();

  /** Returns true if the maximum number of requests is in progress. */
  boolean isFull();

  /** Returns the number of requests in progress. */
  int unfinished();

  /** Returns the slots of the requests that may still begin. */
  SlotQueue slots();

  /** Counts a request that has arrived. */
  void began();

  /**
   * Called before the handlers of a request run. Returns true if {@link #answered} must be called.
   */
  boolean stepping();

  /** Called when the handlers of such a request have responded, or cannot respond any more. */
  void answered();

  /** Counts an exchange that has ended, with all its callbacks. */
  void finished();

  /** Returns true if responses must announce that the connection will be closed. */
  boolean isShuttingDown();

  /** Returns true if idle connections must be closed. */
  boolean draining();
}
