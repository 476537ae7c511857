package dev.percolate.nio.protocol;

import dev.percolate.engine.Turn;
import dev.percolate.engine.loop.StepPool;
import org.jspecify.annotations.Nullable;

/** The event loop on which the connection of an exchange is looked after. */
public interface ExchangeLoop {

  /** Tells whether the calling thread is the loop's. */
  boolean isHere();

  /**
   * Runs a task on the loop, behind those that other threads have brought; from any thread.
   *
   * @param lost runs in its place, on any thread, if the loop has ended
   */
  void execute(Runnable task, Runnable lost);

  /** Creates the turn of an exchange. */
  Turn turn();

  /** Returns the pool whose threads run the steps; null where they have others. */
  @Nullable StepPool pool();
}
