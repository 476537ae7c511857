package dev.percolate.core;

/**
 * Passes a request on from one step to what follows.
 *
 * <p>Each step has its own. The first call of any of the three methods counts; later ones are
 * ignored, and reported in development. Called by the step itself, on its thread, a call returns
 * when what follows has returned (unless the chain is hundreds of steps deep: then it returns at
 * once, and what follows runs when the steps before have returned). Called from a foreign thread it
 * returns at once, and what follows runs on the exchange's executor, after the step has returned.
 *
 * <p>What steps bind to their thread, such as a thread local, holds in what runs inside the call;
 * elsewhere what a {@link ContextCarrier} knows does.
 */
public interface Next extends Runnable {

  /** Passes on to the next step that matches. */
  @Override
  void run();

  /**
   * Passes an error on to the next error handler that matches.
   *
   * @param error the error
   */
  void fail(Throwable error);

  /** Leaves out the rest of the route's steps, and passes on to what follows the route. */
  void route();
}
