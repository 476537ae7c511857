package dev.percolate.engine.loop;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates threads for what would hold a loop up. */
public final class DaemonThreads {

  private static final long IDLE_SECONDS = 5;

  private DaemonThreads() {}

  /**
   * Creates a pool whose threads keep no process alive, and go when there is nothing to do.
   *
   * @param name what the names of its threads begin with
   * @param most how many there are at most
   * @param waiting holds the tasks that wait for one; a task that finds no room there is refused
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
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
