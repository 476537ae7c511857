package dev.percolate.nio.loop;

import dev.percolate.engine.Daemon;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates threads for tasks that would block an event loop. */
public final class DaemonThreads {

  private static final long IDLE_SECONDS = 5;

  private DaemonThreads() {}

  /**
   * Creates a pool of daemon threads that end when they are idle.
   *
   * @param name the prefix of the threads' names
   * @param most the maximum number of threads
   * @param waiting the queue of tasks; tasks are rejected while it is full
   */
  public static ThreadPoolExecutor pool(String name, int most, BlockingQueue<Runnable> waiting) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            task -> Daemon.thread(task, name + number.incrementAndGet()));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
