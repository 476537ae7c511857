package dev.percolate.engine;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer on daemon threads of its own. It does not keep the process running, and releases
 * cancelled tasks.
 *
 * <p>The threads are neither those of the common pool nor virtual: response timeouts and heartbeats
 * must run in time even if an application blocks the former, or computes on all carriers of the
 * latter.
 */
public final class DaemonTimer {

  /** More than one, so that a slow task, such as a listener that logs, does not delay others. */
  private static final int THREADS = 4;

  /** The time after which the timer tries again to start a thread. */
  private static final Duration AGAIN = Duration.ofMillis(100);

  private static final Executor BLOCKING = VirtualThreads.blockingExecutor("percolate-timer-task-");

  /** For {@link #execute}. More tasks wait, so that many timeouts at once need few threads. */
  private static final ThreadPoolExecutor SLOW =
      Daemon.pool("percolate-timer-slow", 64, new LinkedBlockingQueue<>(), Duration.ofSeconds(10));

  private static final ScheduledThreadPoolExecutor TIMER =
      new ScheduledThreadPoolExecutor(THREADS, task -> Daemon.thread(task, "percolate-timer"));

  static {
    TIMER.setRemoveOnCancelPolicy(true);
    try {
      int ignored = TIMER.prestartAllCoreThreads();
    } catch (OutOfMemoryError e) {
      // There is no memory for a thread. Those that are missing start with later tasks.
    }
  }

  private DaemonTimer() {}

  /**
   * Runs a task once, after a delay. The task must not block, since a few threads run all tasks.
   * Exceptions and errors of the task are logged.
   *
   * @param time the delay
   * @param task the task
   * @return a function that cancels the task if it has not started
   */
  public static Runnable after(Duration time, Runnable task) {
    ScheduledFuture<?> set =
        TIMER.schedule(
            () -> Callbacks.run("a timer task", task), time.toNanos(), TimeUnit.NANOSECONDS);
    return () -> set.cancel(false);
  }

  /**
   * Runs a task that may block, such as a call to a store, once after a delay, on a thread of its
   * own. If no thread can be created, the timer tries again. Exceptions and errors of the task are
   * logged.
   *
   * @param time the delay
   * @param task the task
   * @return a function that cancels the task if the delay is not over
   */
  public static Runnable afterBlocking(Duration time, Runnable task) {
    return after(time, () -> start(task));
  }

  /**
   * Runs a task that a timer has started and that may block, such as the end of a response whose
   * hooks call a store. One of at most 64 threads runs it, or the caller if no thread can be
   * created. Exceptions and errors of the task are logged.
   *
   * @param task the task
   */
  public static void execute(Runnable task) {
    Runnable logged = () -> Callbacks.run("a task of a timer", task);
    try {
      SLOW.execute(logged);
    } catch (OutOfMemoryError e) { // "unable to create native thread"
      logged.run();
    }
  }

  private static void start(Runnable task) {
    try {
      BLOCKING.execute(() -> Callbacks.run("a timer task", task));
    } catch (Throwable e) { // such as "unable to create native thread"
      Runnable ignored = after(AGAIN, () -> start(task));
    }
  }
}
