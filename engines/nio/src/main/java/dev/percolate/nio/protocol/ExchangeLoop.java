package dev.percolate.nio.protocol;

import dev.percolate.engine.SerialExecutor;
import dev.percolate.nio.loop.StepPool;
import org.jspecify.annotations.Nullable;

/** The event loop of an exchange's connection. */
public interface ExchangeLoop {

  /** Returns true if the calling thread is the thread of this loop. */
  boolean isHere();

  /**
   * Runs a task on the loop, after the tasks that other threads have submitted. May be called on
   * any thread.
   *
   * @param lost runs instead, on any thread, if the loop has ended
   */
  void execute(Runnable task, Runnable lost);

  /** Creates the serial executor of an exchange. */
  SerialExecutor newExecutor();

  /** Returns the pool whose threads run the handlers; null if the server has no pool. */
  @Nullable StepPool pool();
}
