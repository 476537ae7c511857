package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Runs the task of a thread that must not end early, such as the log writer. If the task throws,
 * even an {@link Error}, a warning is logged and the task runs again on the same thread, after a
 * pause.
 *
 * <p>The pause is 100 ms and doubles up to 10 s, so that a task that always fails uses little
 * processor time. A run of a minute or more resets it. An interrupt during a pause ends the pause.
 * Interrupts remain set for the task.
 */
public final class RestartingTask implements Runnable {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);
  private static final long CALM = TimeUnit.MINUTES.toNanos(1);

  private final Runnable task;
  private final LongConsumer pauses;
  private final String warning;

  /**
   * Creates a restarting task.
   *
   * @param name the name of the thread or task for the log, such as {@code log writer}
   * @param task the task, which ends by returning
   */
  public RestartingTask(String name, Runnable task) {
    this(name, task, RestartingTask::pause);
  }

  /**
   * Creates a restarting task with other pauses.
   *
   * @param pauses waits for a number of nanoseconds
   */
  RestartingTask(String name, Runnable task, LongConsumer pauses) {
    this.task = task;
    this.pauses = pauses;
    this.warning = "the " + name + " failed and is restarted"; // built while there is memory
  }

  @Override
  public void run() {
    long pause = SHORTEST;
    while (true) {
      long begun = System.nanoTime();
      try {
        task.run();
        return;
      } catch (Throwable e) {
        pause = System.nanoTime() - begun < CALM ? pause : SHORTEST;
        SafeLog.log(LOG, Level.WARNING, warning, e);
      }
      pauses.accept(pause);
      pause = Math.min(2 * pause, LONGEST);
    }
  }

  private static void pause(long nanos) {
    boolean interrupted = Thread.interrupted(); // an interrupt that is set would end every pause
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
