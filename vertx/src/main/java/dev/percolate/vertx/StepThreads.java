package dev.percolate.vertx;

import dev.percolate.core.Threads;
import dev.percolate.core.VirtualThreads;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Gives the steps of one server their threads, by its mode. */
final class StepThreads {

  private final Threads mode;
  private final @Nullable ExecutorService virtual;
  private final @Nullable ExecutorService pool;

  StepThreads(Threads mode) {
    this.mode = mode;
    this.virtual = mode == Threads.VIRTUAL ? VirtualThreads.executor(null) : null;
    this.pool = mode == Threads.POOL ? pool() : null;
  }

  /** Tells whether a step waits for a body on its own thread. */
  boolean parks() {
    return mode.parks();
  }

  /** Makes what starts the threads of one loop; null where threads are not made for each step. */
  @Nullable Starter starter(EventLoop loop) {
    return virtual == null ? null : new Starter(loop, virtual);
  }

  /** Gives the pool; null where there is none. */
  @Nullable Executor pooled() {
    return pool;
  }

  void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }

  private static ExecutorService pool() {
    AtomicInteger number = new AtomicInteger();
    int size = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());
    return Executors.newFixedThreadPool(
        size, task -> new Thread(task, "percolate-pool-" + number.incrementAndGet()));
  }
}
