package dev.percolate.engine.loop;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Gives the steps of one server their threads, by its mode. */
public final class StepThreads {

  private final ThreadMode mode;
  private final @Nullable ExecutorService virtual;
  private final @Nullable StepPool pool;

  public StepThreads(ThreadMode mode) {
    this.mode = mode;
    this.virtual = mode == ThreadMode.VIRTUAL ? VirtualThreads.executor(null) : null;
    this.pool = mode == ThreadMode.POOL ? new StepPool() : null;
  }

  /** Tells whether a step waits for a body on its own thread. */
  public boolean parks() {
    return mode.parks();
  }

  /**
   * Creates what starts the threads of one loop; null where threads are not made for each step.
   *
   * @param here tells whether the calling thread is the loop's
   * @param loop does, in the end of its turn, what its own thread asks for
   */
  public @Nullable Starter starter(BooleanSupplier here, Executor loop) {
    return virtual == null ? null : new Starter(here, loop, virtual);
  }

  /** Returns the pool; null where there is none. */
  public @Nullable StepPool pool() {
    return pool;
  }

  public void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
