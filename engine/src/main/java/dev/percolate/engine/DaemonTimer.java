package dev.percolate.engine;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Creates timers that keep no process alive and hold nothing that has been cancelled. */
public final class DaemonTimer {

  private DaemonTimer() {}

  /**
   * Creates a timer with one thread, which begins with the first task.
   *
   * @param thread the name of the thread
   */
  public static ScheduledThreadPoolExecutor create(String thread) {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread created = new Thread(task, thread);
              created.setDaemon(true);
              return created;
            });
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
