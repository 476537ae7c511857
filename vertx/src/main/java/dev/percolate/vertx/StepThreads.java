package dev.percolate.vertx;

import dev.percolate.core.Threads;
import dev.percolate.core.Turn;
import dev.percolate.core.VirtualThreads;
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

  /** Makes the turn of an exchange of one loop. */
  Turn turn(Loop loop) {
    return new Turn(executor(loop), mode.parks());
  }

  void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }

  private Executor executor(Loop loop) {
    if (virtual != null) {
      return virtual;
    }
    return pool == null ? loop : pool;
  }

  private static ExecutorService pool() {
    AtomicInteger number = new AtomicInteger();
    int size = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());
    return Executors.newFixedThreadPool(
        size, task -> new Thread(task, "percolate-pool-" + number.incrementAndGet()));
  }
}
