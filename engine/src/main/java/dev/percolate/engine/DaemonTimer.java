package dev.percolate.engine;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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
   * Calls a task once, after a time, on a thread of the common pool, so that a slow task does not
   * delay others. If no thread can be created, the call is tried again. Exceptions and errors of
   * the task are logged.
   *
   * @param time the time
   * @param task the task
   * @return cancels it, unless it has begun
   */
  public static Runnable after(Duration time, Runnable task) {
    return after(time, task, ForkJoinPool.commonPool());
  }

  /**
   * Calls a task once, after a time.
   *
   * @param threads runs the task
   */
  static Runnable after(Duration time, Runnable task, Executor threads) {
    Due due = new Due(task);
    RestartingTask start = new RestartingTask("timer", () -> threads.execute(due));
    ScheduledFuture<?> set = TIMER.schedule(start, time.toNanos(), TimeUnit.NANOSECONDS);
    return () -> set.cancel(false);
  }

  /** A task that runs once, even if it is submitted again. */
  private static final class Due implements Runnable {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final Runnable task;

    Due(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        Callbacks.run("a timer task", task);
      }
    }
  }
}
