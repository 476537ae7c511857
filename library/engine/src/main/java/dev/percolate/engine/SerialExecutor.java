package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A serial executor: runs the tasks of one exchange one after the other, submitted from any thread.
 *
 * <p>An engine creates one for each exchange, on top of the executor of its thread mode. A task
 * that is submitted while another one runs waits for it, and then runs on the same thread;
 * otherwise the executor provides a thread. So two tasks never run at the same time, and each task
 * sees the writes of the one before.
 *
 * <p>If the executor has no thread, the task runs on the calling thread if that may block. If not,
 * the exchange is aborted: the task is dropped, but tasks that end the exchange can still run.
 *
 * <pre>
 *          execute                    task returns, none waiting
 *   idle ----------> busy (owner) ---------------------------------> idle
 *                     |       ^
 *                     +-------+  task returns, another waiting
 * </pre>
 */
public final class SerialExecutor implements Executor {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final Object BUSY = new Object();
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);

  private static volatile boolean measuresWaits;

  private final Executor base;
  private final boolean parks;
  private @Nullable Owner steps;

  /** Null while idle; else {@link #BUSY}, or the task that was submitted last. */
  private volatile @Nullable Object state;

  /** Submitted tasks in order, for the owner thread. */
  private @Nullable Deque<Come> waiting;

  /** The time at which the latest task was submitted; from its start on, how long it waited. */
  private int waitedMicros;

  // Read by any thread; equal to the current thread only if that thread wrote it.
  private @Nullable Thread thread;

  /**
   * Callbacks of the executor to the code that processes the exchange. They are called one at a
   * time, on the executor.
   */
  public interface Owner {

    /** Continues work that a task has deferred until its call stack is empty. */
    void resume();

    /**
     * Handles an exception or error thrown by a task.
     *
     * @param thrown the exception or error
     */
    void escaped(Throwable thrown);

    /** Returns true if the calling thread may run tasks when no other thread is available. */
    boolean mayBlock();

    /**
     * Ends the exchange, because no thread is available for its tasks.
     *
     * @param cause the reason
     */
    void starved(Throwable cause);

    /** Returns the current position for messages, such as {@code layer 7, Users.java:31}. */
    @Override
    String toString();
  }

  /** A submitted task; {@code here} if it is short and may run on any thread. */
  private record Come(Runnable task, boolean here, @Nullable Come before) {}

  /**
   * Creates the executor of an exchange.
   *
   * @param base provides a thread of the thread mode for each task
   * @param parks whether such a thread waits for a body itself ({@link ThreadMode#parks})
   */
  public SerialExecutor(Executor base, boolean parks) {
    this.base = base;
    this.parks = parks;
  }

  /** Measures from now on how long tasks wait for a thread, in all servers of the process. */
  public static void measureWaits() {
    measuresWaits = true;
  }

  /**
   * Returns how long the current sequence of tasks has waited for a thread, in microseconds. Call
   * it in one of these tasks.
   *
   * @return the time, at most about half an hour; 0 without {@link #measureWaits}
   */
  public int waitedMicros() {
    return measuresWaits ? waitedMicros : 0;
  }

  /** Runs a task on the engine's executor when no other task of the exchange runs. */
  @Override
  public void execute(Runnable task) {
    if (takes(task, false)) {
      start(task, false);
    }
  }

  /**
   * Runs a task on the engine's executor if no other task of the exchange runs or waits.
   *
   * @param task the task
   * @return true if the task will run
   */
  public boolean executeIfIdle(Runnable task) {
    boolean idle = STATE.compareAndSet(this, (Object) null, BUSY);
    if (idle) {
      start(task, false);
    }
    return idle;
  }

  /**
   * Runs a short task that does not block: immediately on the calling thread if no task of the
   * exchange runs, else after that task.
   *
   * @param task the task
   */
  public void executeHere(Runnable task) {
    if (takes(task, true)) {
      thread = Thread.currentThread();
      runOne(task);
      Come following = following();
      if (following != null) {
        thread = null;
        start(following.task, following.here);
      }
    }
  }

  /**
   * Sets the processing of the exchange.
   *
   * @param steps receives deferred work and exceptions of tasks; until it is set, exceptions are
   *     logged
   */
  public void owner(Owner steps) {
    this.steps = steps;
  }

  /** Returns true if the calling thread is running a task of this exchange. */
  public boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  /**
   * Returns the thread that is running a task of this exchange, for messages; null if there is
   * none.
   */
  public @Nullable Thread thread() {
    return thread;
  }

  /** Returns true if handlers wait for a body on their own thread. */
  public boolean parks() {
    return parks;
  }

  /** Returns the current position, such as {@code layer 7, Users.java:31}. */
  @Override
  public String toString() {
    Owner known = steps;
    return known == null ? "no step" : known.toString();
  }

  /** Runs tasks on a thread of the engine, or on a new thread if the engine has closed. */
  private void start(Runnable task, boolean here) {
    Begin begin = new Begin(task, here);
    if (measuresWaits) {
      waitedMicros = (int) (System.nanoTime() / 1000); // overflows; differences are correct
    }
    try {
      try {
        base.execute(begin);
      } catch (RejectedExecutionException closed) {
        Daemon.thread(begin, "percolate-last").start();
      }
    } catch (RuntimeException | Error starved) { // such as "unable to create native thread"
      startWithoutThread(begin, starved);
    }
  }

  private void startWithoutThread(Begin begin, Throwable starved) {
    Owner known = steps;
    if (known != null && known.mayBlock()) {
      begin.run();
    } else if (begin.comesFirst()) {
      dropSteps(begin);
      abort(known, starved);
    }
  }

  /** Drops the waiting tasks, except short ones, which run here. */
  private void dropSteps(Begin begin) {
    thread = Thread.currentThread();
    if (begin.here) {
      runOne(begin.task);
    }
    for (Come come = following(); come != null; come = following()) {
      thread = Thread.currentThread();
      if (come.here) {
        runOne(come.task);
      }
    }
  }

  /** Ends the exchange. Before the service has the request, only the engine can do that. */
  private static void abort(@Nullable Owner steps, Throwable starved) {
    if (steps != null) {
      steps.starved(starved);
    } else if (starved instanceof Error error) {
      throw error;
    } else {
      throw (RuntimeException) starved;
    }
  }

  /** Becomes busy if idle, else adds the task to the waiting ones. */
  private boolean takes(Runnable task, boolean here) {
    while (true) {
      Object now = state;
      if (now == null) {
        if (STATE.compareAndSet(this, (Object) null, BUSY)) {
          return true;
        }
      } else if (STATE.compareAndSet(
          this, now, (Object) new Come(task, here, now instanceof Come before ? before : null))) {
        return false;
      }
    }
  }

  private void runAll(Runnable first) {
    thread = Thread.currentThread();
    runOne(first);
    for (Come come = following(); come != null; come = following()) {
      thread = Thread.currentThread();
      runOne(come.task);
    }
  }

  private void runOne(Runnable task) {
    try {
      task.run();
      Owner known = steps;
      if (known != null) {
        known.resume();
      }
    } catch (Throwable thrown) {
      escaped(thrown);
    }
  }

  /** Passes on an exception of a task. If that fails too, the failure is logged. */
  private void escaped(Throwable thrown) {
    try {
      Owner known = steps;
      if (known == null) {
        log(thrown);
      } else {
        known.escaped(thrown);
      }
    } catch (Throwable further) {
      log(further);
    }
  }

  private static void log(Throwable escaped) {
    SafeLog.log(LOG, Level.ERROR, "uncaught error in a task of an exchange", escaped);
  }

  /** Returns the next task, or becomes idle. */
  private @Nullable Come following() {
    Come next = waiting == null ? null : waiting.poll();
    if (next != null) {
      return next;
    }
    thread = null;
    if (STATE.compareAndSet(this, BUSY, (Object) null)) {
      return null;
    }
    Deque<Come> all = waiting == null ? new ArrayDeque<>(2) : waiting;
    waiting = all;
    Come last = (Come) STATE.getAndSet(this, BUSY);
    for (Come come = last; come != null; come = come.before) {
      all.addFirst(come);
    }
    return all.poll();
  }

  /** Starts a task on the first of several threads that may be late or fail to start. */
  private final class Begin implements Runnable {

    private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), int.class);

    private final Runnable task;
    private final boolean here;

    @SuppressWarnings("unused") // written by STATE
    private volatile int state;

    Begin(Runnable task, boolean here) {
      this.task = task;
      this.here = here;
    }

    boolean comesFirst() {
      return STATE.compareAndSet(this, 0, 1);
    }

    @Override
    public void run() {
      if (comesFirst()) {
        if (measuresWaits) {
          waitedMicros = (int) (System.nanoTime() / 1000) - waitedMicros;
        }
        runAll(task);
      }
    }
  }
}
