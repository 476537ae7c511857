package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A timer on a daemon thread. It does not keep the process running, and releases cancelled tasks.
 */
public final class DaemonTimer {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final RareWarning REFUSED = new RareWarning();

  /** The time after which a rejected task is submitted again. */
  private static final long AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

  /** One thread, which starts with the first task. */
  private static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(1, task -> Daemon.thread(task, "percolate-timer"));

  static {
    TIMER.setRemoveOnCancelPolicy(true);
  }

  private DaemonTimer() {}

  /**
   * Runs a task once, after a delay, on a thread of the common pool, so that a slow task does not
   * delay others. If no thread can be created, the timer tries again. Exceptions and errors of the
   * task are logged.
   *
   * @param time the delay
   * @param task the task
   * @return a function that cancels the task if it has not started
   */
  public static Runnable after(Duration time, Runnable task) {
    return after(time, task, ForkJoinPool.commonPool());
  }

  /**
   * Runs a task once, after a delay.
   *
   * @param threads the executor of the task
   */
  static Runnable after(Duration time, Runnable task, Executor threads) {
    Due due = new Due(task);
    Start start = new Start(due, threads);
    ScheduledFuture<?> set =
        TIMER.scheduleWithFixedDelay(start, time.toNanos(), AGAIN, TimeUnit.NANOSECONDS);
    start.set(set);
    return () -> set.cancel(false);
  }

  /** Submits a task to its executor. If the executor rejects it, the timer tries again. */
  private static final class Start implements Runnable {

    private final Due due;
    private final Executor threads;
    private volatile @Nullable ScheduledFuture<?> set;
    private volatile boolean passed;

    Start(Due due, Executor threads) {
      this.due = due;
      this.threads = threads;
    }

    void set(ScheduledFuture<?> future) {
      set = future;
      cancelIfPassed();
    }

    @Override
    public void run() {
      try {
        if (!passed) {
          threads.execute(due);
        }
        passed = true;
      } catch (Throwable e) { // an exception would end the timer
        warn(e);
      }
      cancelIfPassed();
    }

    private void cancelIfPassed() {
      ScheduledFuture<?> future = set;
      if (passed && future != null) {
        future.cancel(false);
      }
    }
  }

  private static void warn(Throwable rejection) {
    if (REFUSED.isDue()) {
      SafeLog.log(LOG, Level.WARNING, "no thread for a timer task; trying again", rejection);
    }
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
