package dev.percolate.engine;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Calls back after a time; it keeps no process alive and holds nothing that has been cancelled. */
public final class DaemonTimer {

  /** One thread, which begins with the first task. */
  private static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "percolate-timer");
            thread.setDaemon(true);
            return thread;
          });

  static {
    TIMER.setRemoveOnCancelPolicy(true);
  }

  private DaemonTimer() {}

  /**
   * Calls a task once, after a time, on a thread of the common pool: it may take its time, and
   * those of others do not wait for it.
   *
   * @param time the time
   * @param task the task
   * @return cancels it, unless it has begun
   */
  public static Runnable after(Duration time, Runnable task) {
    ScheduledFuture<?> set =
        TIMER.schedule(
            () -> ForkJoinPool.commonPool().execute(task), time.toNanos(), TimeUnit.NANOSECONDS);
    return () -> set.cancel(false);
  }
}
