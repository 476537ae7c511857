package dev.percolate.nio.loop;

import dev.percolate.engine.SafeLog;
import dev.percolate.engine.StateField;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Collects tasks that other threads submit to an event loop, such as responses, and runs them as
 * one task, so that many tasks wake the loop only once. Tasks run in the order of submission, and
 * no later than separate tasks would.
 *
 * <pre>
 *   empty --add: notifies the loop--> some --takeAll, on the loop--> empty
 *     |                                |
 *     +--------- the loop rejects -----+--> CLOSED: all tasks are lost
 * </pre>
 */
public final class Inbox {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");
  private static final Task CLOSED = new Task(() -> {}, () -> {});
  private static final VarHandle LAST = StateField.of(MethodHandles.lookup(), "last", Task.class);

  private final Executor loop;
  private final Runnable taking = this::takeAll;

  /** Null while empty; otherwise the last submitted task, which links to the one before it. */
  private volatile @Nullable Task last;

  /** A task, and the task that runs instead if the loop has ended. */
  private static final class Task {

    private final Runnable work;
    private final Runnable lost;
    private @Nullable Task neighbour;

    Task(Runnable work, Runnable lost) {
      this.work = work;
      this.lost = lost;
    }
  }

  public Inbox(Executor loop) {
    this.loop = loop;
  }

  /**
   * Adds a task. May be called on any thread.
   *
   * @param work runs on the loop
   * @param lost runs instead, on any thread, if the loop has ended
   */
  public void add(Runnable work, Runnable lost) {
    Task task = new Task(work, lost);
    Task before = last;
    while (before != CLOSED) {
      task.neighbour = before;
      if (LAST.compareAndSet(this, before, task)) {
        if (before == null) {
          ask();
        }
        return;
      }
      before = last;
    }
    lost.run();
  }

  /** Returns true if there are no tasks. Called by a loop that is about to wait. */
  public boolean isEmpty() {
    return last == null;
  }

  /** Runs the submitted tasks. Called on the loop. */
  public void takeAll() {
    Task newest = last;
    while (newest != CLOSED && !LAST.compareAndSet(this, newest, (Task) null)) {
      newest = last;
    }
    if (newest == CLOSED) {
      return;
    }
    for (Task task = eldestFirst(newest); task != null; task = task.neighbour) {
      run(task.work);
    }
  }

  /** Closes the inbox after the loop has ended. The tasks in it and all later ones are lost. */
  public void close() {
    Task all = (Task) LAST.getAndSet(this, CLOSED);
    for (Task task = all == CLOSED ? null : eldestFirst(all); task != null; task = task.neighbour) {
      run(task.lost);
    }
  }

  /** Runs a task of an event loop. Logs a failure, so that the tasks after it still run. */
  public static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      SafeLog.log(LOG, Level.ERROR, "a task of an event loop failed", e);
    }
  }

  private void ask() {
    try {
      loop.execute(taking);
    } catch (RejectedExecutionException ended) {
      close();
    } catch (Error e) {
      // no memory to notify the loop, which checks the inbox from time to time
    }
  }

  private static @Nullable Task eldestFirst(@Nullable Task newest) {
    Task eldest = null;
    Task task = newest;
    while (task != null) {
      Task before = task.neighbour;
      task.neighbour = eldest;
      eldest = task;
      task = before;
    }
    return eldest;
  }
}
