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
 * Runs the steps of one exchange one after the other, from whatever thread they come.
 *
 * <p>An engine makes one for each exchange, over the executor of its thread mode. What is handed to
 * {@link #execute} while another task of the exchange runs waits until that has returned, and then
 * runs on the same thread; otherwise the executor is asked for a thread. So two steps never run at
 * the same time, and each sees what the one before wrote.
 *
 * <p>Where the executor has no thread to give, the task runs on the calling thread if that may
 * block. If not, the exchange is aborted: the step is lost, but the turn is free for what ends the
 * exchange.
 *
 * <pre>
 *          execute                    task returns, none waiting
 *   idle ----------> busy (owner) ---------------------------------> idle
 *                     |       ^
 *                     +-------+  task returns, another waiting
 * </pre>
 */
public final class Turn implements Executor {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final Object BUSY = new Object();
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);

  private final Executor base;
  private final boolean parks;
  private @Nullable Steps steps;

  /** Null while idle; {@link #BUSY}, or the last of the tasks that have come since. */
  private volatile @Nullable Object state;

  /** Tasks that have come, in order, for the thread whose turn it is. */
  private @Nullable Deque<Come> waiting;

  // Read by any thread, which finds itself here only if it wrote it.
  private @Nullable Thread owner;

  /** Those whose turn it is, as it sees them; one method at a time is called, on the turn. */
  public interface Steps {

    /** Goes on with what a task has left behind to be done when its stack is free. */
    void resume();

    /**
     * Takes what a task has thrown, which nobody else would see.
     *
     * @param thrown what it has thrown
     */
    void escaped(Throwable thrown);

    /** Returns whether the calling thread may run steps where there is no other. */
    boolean mayBlock();

    /**
     * Ends the exchange, since there is no thread that could run its steps.
     *
     * @param cause why there is none
     */
    void starved(Throwable cause);

    /** Returns where they stand, for people, such as {@code layer 7, Users.java:31}. */
    @Override
    String toString();
  }

  /** A task that has come; {@code here} if it is short and runs on any thread. */
  private record Come(Runnable task, boolean here, @Nullable Come before) {}

  /**
   * Creates the turn of one exchange.
   *
   * @param base gives a thread of the engine's mode to each task
   * @param parks whether such a thread waits for a body itself ({@link ThreadMode#parks})
   */
  public Turn(Executor base, boolean parks) {
    this.base = base;
    this.parks = parks;
  }

  /** Runs a task on the engine's executor as soon as no other task of the exchange runs. */
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
   * @return whether it will run
   */
  public boolean executeIfIdle(Runnable task) {
    boolean idle = STATE.compareAndSet(this, (Object) null, BUSY);
    if (idle) {
      start(task, false);
    }
    return idle;
  }

  /**
   * Runs a short task that does not block: on the calling thread, at once, if no task of the
   * exchange runs, else behind that task.
   *
   * @param task the task
   */
  public void executeHere(Runnable task) {
    if (takes(task, true)) {
      owner = Thread.currentThread();
      runOne(task);
      Come following = following();
      if (following != null) {
        owner = null;
        start(following.task, following.here);
      }
    }
  }

  /**
   * Sets whose turn this is, as soon as that is known.
   *
   * @param steps get what tasks leave and throw; until then the log does
   */
  public void serves(Steps steps) {
    this.steps = steps;
  }

  /** Tells whether the calling thread is the one that runs a task of this exchange now. */
  public boolean isMine() {
    return owner == Thread.currentThread();
  }

  /**
   * Returns the thread that runs a task of this exchange now, for people; null if there is none.
   */
  public @Nullable Thread owner() {
    return owner;
  }

  /** Tells whether a step waits for a body on its own thread. */
  public boolean parks() {
    return parks;
  }

  /** Returns where the exchange stands, such as {@code layer 7, Users.java:31}. */
  @Override
  public String toString() {
    Steps known = steps;
    return known == null ? "no step" : known.toString();
  }

  /** Runs tasks on a thread of the engine, or on a last one of our own if it has closed. */
  private void start(Runnable task, boolean here) {
    Begin begin = new Begin(task, here);
    try {
      try {
        base.execute(begin);
      } catch (RejectedExecutionException closed) {
        Thread last = new Thread(begin, "percolate-last");
        last.setDaemon(true);
        last.start();
      }
    } catch (RuntimeException | Error starved) { // such as "unable to create native thread"
      startWithoutThread(begin, starved);
    }
  }

  private void startWithoutThread(Begin begin, Throwable starved) {
    Steps known = steps;
    if (known != null && known.mayBlock()) {
      begin.run();
    } else if (begin.comesFirst()) {
      dropSteps(begin);
      abort(known, starved);
    }
  }

  /** Gives the turn back, after all that needs no thread of the engine. */
  private void dropSteps(Begin begin) {
    owner = Thread.currentThread();
    if (begin.here) {
      runOne(begin.task);
    }
    for (Come come = following(); come != null; come = following()) {
      owner = Thread.currentThread();
      if (come.here) {
        runOne(come.task);
      }
    }
  }

  /** Ends the exchange; before there is a request, only the engine can. */
  private static void abort(@Nullable Steps steps, Throwable starved) {
    if (steps != null) {
      steps.starved(starved);
    } else if (starved instanceof Error error) {
      throw error;
    } else {
      throw (RuntimeException) starved;
    }
  }

  /** Begins a turn if nobody has it, else leaves the task to who has. */
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
    owner = Thread.currentThread();
    runOne(first);
    for (Come come = following(); come != null; come = following()) {
      owner = Thread.currentThread();
      runOne(come.task);
    }
  }

  private void runOne(Runnable task) {
    try {
      task.run();
      Steps known = steps;
      if (known != null) {
        known.resume();
      }
    } catch (Throwable thrown) {
      escaped(thrown);
    }
  }

  /** Passes on what nobody else would see; whatever comes of it, the turn goes on. */
  private void escaped(Throwable thrown) {
    try {
      Steps known = steps;
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
    SafeLog.log(LOG, Level.ERROR, "an error escaped from a task of an exchange", escaped);
  }

  /** Returns the next task, or ends the turn. */
  private @Nullable Come following() {
    Come next = waiting == null ? null : waiting.poll();
    if (next != null) {
      return next;
    }
    owner = null;
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

  /** The beginning of a turn, on whichever thread comes first: one may be late, or never come. */
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
        runAll(task);
      }
    }
  }
}
