package dev.percolate.engine.loop;

import dev.percolate.engine.SafeLog;
import dev.percolate.engine.StateField;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes what other threads want done on an event loop, such as their answers, and has the loop do
 * all of it in one task: that wakes the loop once for many. Tasks run in the order in which they
 * came, and not later than if each had been a task of the loop.
 *
 * <pre>
 *   empty --add: the loop is asked--> some --takeAll, on the loop--> empty
 *     |                                |
 *     +--------- the loop refuses -----+--> CLOSED: all are lost
 * </pre>
 */
public final class Inbox {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final Task CLOSED = new Task(() -> {}, () -> {});
  private static final VarHandle LAST = StateField.of(MethodHandles.lookup(), "last", Task.class);

  private final Executor loop;
  private final Runnable taking = this::takeAll;

  /** Null while it is empty; the last task that came, which knows the one before it. */
  private volatile @Nullable Task last;

  /** Something to do, and what is done instead if there is no loop any more. */
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
   * Adds a task; from any thread.
   *
   * @param work is done on the loop
   * @param lost is done instead, on any thread, if the loop has ended
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

  /** Tells whether there is nothing to do; a loop that is about to wait asks. */
  public boolean isEmpty() {
    return last == null;
  }

  /** Does what has come; on the loop. */
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

  /** Loses what has come and what comes from now on, since the loop has ended. */
  public void close() {
    Task all = (Task) LAST.getAndSet(this, CLOSED);
    for (Task task = all == CLOSED ? null : eldestFirst(all); task != null; task = task.neighbour) {
      run(task.lost);
    }
  }

  /** Runs one task. Logs a failure, so that the tasks after it still run. */
  private static void run(Runnable task) {
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
      // there is no memory to tell the loop, which looks by itself now and then
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
