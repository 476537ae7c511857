package dev.percolate.nio.protocol;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import java.util.concurrent.Executor;

/** What is under way on a server, on all its connections, and who answers it; from any thread. */
public interface Requests {

  /** Returns who answers requests. */
  Service service();

  /** Returns the options of the server. */
  ListenOptions options();

  /** Returns the threads that wait for disks. */
  Executor files();

  /** Tells whether as many requests are under way as may be. */
  boolean isFull();

  /** Returns how many requests have not been finished. */
  int unfinished();

  /** Returns how many more may be under way, but for those whose turn it is. */
  int left();

  /**
   * Waits for a place in turn.
   *
   * @param turn is called, on any thread, when there is one, and those that have waited for longer
   *     have theirs; it is kept until {@link #turnOver}
   */
  void awaitPlace(Runnable turn);

  /** Notes that a place that was kept has been taken, or is not wanted any more. */
  void turnOver();

  /** Counts a request that has arrived. */
  void began();

  /** Notes that the steps of a request begin; tells whether it is to be told of their answer. */
  boolean stepping();

  /** Notes that the answer of such a request has been given, or can no longer be. */
  void answered();

  /** Counts an exchange whose answer and hooks are over. */
  void finished();

  /** Tells whether answers are to say that they are the last. */
  boolean leaving();

  /** Tells whether idle connections are to be closed. */
  boolean draining();
}
