package dev.percolate.nio.loop;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The threads that run the handlers of a server, according to its thread mode. */
public final class StepThreads {

  private final ThreadMode mode;
  private final @Nullable ExecutorService virtual;
  private final @Nullable StepPool pool;

  public StepThreads(ThreadMode mode) {
    this.mode = mode;
    this.virtual = mode == ThreadMode.VIRTUAL ? VirtualThreads.executor(null) : null;
    this.pool = mode == ThreadMode.POOL ? new StepPool() : null;
  }

  /** Returns true if a handler waits for a body on its own thread. */
  public boolean parks() {
    return mode.parks();
  }

  /**
   * Creates the starter of one loop; null if the mode does not use a thread per request.
   *
   * @param here returns true on the loop's thread
   * @param loop runs tasks of the loop's own thread at the end of the iteration
   */
  public @Nullable VirtualThreadBatcher starter(BooleanSupplier here, Executor loop) {
    return virtual == null ? null : new VirtualThreadBatcher(here, loop, virtual);
  }

  /** Returns the pool; null if the mode does not use one. */
  public @Nullable StepPool pool() {
    return pool;
  }

  public void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
