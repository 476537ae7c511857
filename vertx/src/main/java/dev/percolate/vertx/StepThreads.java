package dev.percolate.vertx;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import io.netty.channel.EventLoop;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Gives the steps of one server their threads, by its mode. */
final class StepThreads {

  private final ThreadMode mode;
  private final @Nullable ExecutorService virtual;
  private final @Nullable StepPool pool;

  StepThreads(ThreadMode mode) {
    this.mode = mode;
    this.virtual = mode == ThreadMode.VIRTUAL ? VirtualThreads.executor(null) : null;
    this.pool = mode == ThreadMode.POOL ? new StepPool() : null;
  }

  /** Tells whether a step waits for a body on its own thread. */
  boolean parks() {
    return mode.parks();
  }

  /** Makes what starts the threads of one loop; null where threads are not made for each step. */
  @Nullable Starter starter(EventLoop loop) {
    return virtual == null ? null : new Starter(loop, virtual);
  }

  /** Returns the pool; null where there is none. */
  @Nullable StepPool pool() {
    return pool;
  }

  void close() {
    if (pool != null) {
      pool.close();
    }
  }
}
