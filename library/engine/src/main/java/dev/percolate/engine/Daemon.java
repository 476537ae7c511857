package dev.percolate.engine;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Creates threads that do not keep the process running. */
public final class Daemon {

  private Daemon() {}

  /**
   * Creates a daemon thread without starting it.
   *
   * @param task the task of the thread
   * @param name the name of the thread
   */
  public static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Creates a pool of daemon threads that end when they are idle.
   *
   * @param name the name of each thread
   * @param most the maximum number of threads
   * @param queue the queue of tasks; tasks are rejected while it is full
   * @param idle the time without a task after which a thread ends
   */
  public static ThreadPoolExecutor pool(
      String name, int most, BlockingQueue<Runnable> queue, Duration idle) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most, most, idle.toNanos(), TimeUnit.NANOSECONDS, queue, task -> thread(task, name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
