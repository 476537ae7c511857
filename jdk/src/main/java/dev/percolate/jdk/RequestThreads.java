package dev.percolate.jdk;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Gives each request of one server a thread, by its mode, and counts those under way. */
final class RequestThreads implements Executor {

  private final @Nullable ExecutorService pool;
  private final Executor threads;
  private int busy;

  RequestThreads(ThreadMode mode) {
    if (mode == ThreadMode.VIRTUAL) {
      pool = null;
      threads = VirtualThreads.executor(null);
    } else {
      ExecutorService fixed = pool();
      pool = fixed;
      threads = fixed;
    }
  }

  @Override
  public void execute(Runnable request) {
    count(1);
    try {
      threads.execute(() -> run(request));
    } catch (RuntimeException e) {
      count(-1);
      throw e;
    }
  }

  /** Returns how many requests are under way. */
  synchronized int busy() {
    return busy;
  }

  /** Waits until no request is under way; tells whether there came such a time. */
  synchronized boolean awaitIdle(Duration most) {
    long deadline = System.nanoTime() + most.toNanos();
    try {
      while (busy > 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return busy == 0;
  }

  void close() {
    if (pool != null) {
      pool.shutdown();
    }
  }

  private void run(Runnable request) {
    try {
      request.run();
    } finally {
      count(-1);
    }
  }

  private synchronized void count(int change) {
    busy += change;
    notifyAll();
  }

  private static ExecutorService pool() {
    AtomicInteger number = new AtomicInteger();
    int size = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());
    return Executors.newFixedThreadPool(
        size, task -> new Thread(task, "percolate-jdk-" + number.incrementAndGet()));
  }
}
