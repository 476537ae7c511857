package dev.percolate.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one exchange one after the other, whoever asks for them.
 *
 * <p>An engine makes one for each exchange, over the executor of its thread mode. What is handed to
 * {@link #execute} while another task of the exchange runs waits until that has returned, and then
 * runs on the same thread; otherwise the executor is asked for a thread. So two steps never run at
 * the same time, and each sees what the one before wrote.
 *
 * <pre>
 *          execute                    task returns, none waiting
 *   idle ----------> busy (owner) ---------------------------------> idle
 *                     |       ^
 *                     +-------+  task returns, another waiting
 * </pre>
 */
public final class Turn implements Executor {

  /** How deep steps may nest before the rest waits until they have returned. */
  private static final int NESTED = 200;

  private static final Object BUSY = new Object();
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);

  private final Executor base;
  private final boolean parks;
  private Consumer<Throwable> onEscape = Faults::escaped;

  /** Null while idle; {@link #BUSY}, or the last of the tasks that have come since. */
  private volatile @Nullable Object state;

  /** Tasks that have come, in order, for the thread whose turn it is. */
  private @Nullable Deque<Runnable> waiting;

  // Read by any thread, which finds itself here only if it wrote it.
  private @Nullable Thread owner;
  private int depth;
  private @Nullable Link last;
  private @Nullable Walk overflowed;
  private @Nullable Throwable overflow;

  private record Come(Runnable task, @Nullable Come before) {}

  /**
   * Makes the turn of one exchange.
   *
   * @param base gives a thread of the engine's mode to each task
   * @param parks whether such a thread waits for a body itself ({@link Threads#parks})
   */
  public Turn(Executor base, boolean parks) {
    this.base = base;
    this.parks = parks;
  }

  /** Runs a task on the engine's executor as soon as no other task of the exchange runs. */
  @Override
  public void execute(Runnable task) {
    if (takes(task)) {
      start(task);
    }
  }

  /**
   * Runs a task on the engine's executor if no other task of the exchange runs or waits.
   *
   * @param task the task
   * @return whether it will run
   */
  boolean executeIfIdle(Runnable task) {
    boolean idle = STATE.compareAndSet(this, (Object) null, BUSY);
    if (idle) {
      start(task);
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
    if (takes(task)) {
      owner = Thread.currentThread();
      runOne(task);
      Runnable following = following();
      if (following != null) {
        owner = null;
        start(following);
      }
    }
  }

  /** Registers who is told of what a task throws; nobody else would see it. */
  void onEscape(Consumer<Throwable> listener) {
    onEscape = listener;
  }

  /** Tells whether the calling thread is the one that runs a task of this exchange now. */
  public boolean isMine() {
    return owner == Thread.currentThread();
  }

  /** Tells whether a step waits for a body on its own thread. */
  public boolean parks() {
    return parks;
  }

  /** Says where the exchange stands, such as {@code layer 7, Users.java:31}. */
  @Override
  public String toString() {
    Link link = last;
    return link == null ? "no step" : link.position();
  }

  /**
   * Goes on with a walk: in this call if it comes from the step that runs, else when that is over.
   */
  void proceed(Walk walk, @Nullable Throwable signal) {
    if (isMine() && depth < NESTED) {
      depth++;
      try {
        walk.resume(signal);
      } finally {
        depth--;
      }
    } else {
      execute(() -> walk.resume(signal));
    }
  }

  /** Notes the {@code next} of the step that is called now. */
  void at(Link link) {
    last = link;
  }

  /** Gives the {@code next} of the step that was called last. */
  @Nullable Link last() {
    return last;
  }

  /** Passes an error on in the place of the step that was called last. */
  void failLast(Throwable error) {
    Link link = last;
    if (link != null) {
      link.fail(error);
    }
  }

  /**
   * Notes an overflow of the stack, to go on with it when the stack is free again. It uses next to
   * no stack itself; of several that one overflow causes on its way, the first counts.
   */
  void overflowed(Walk walk, Throwable error) {
    if (overflow == null) {
      overflowed = walk;
      overflow = error;
    }
  }

  /** Runs tasks on a thread of the engine, or on a last one of our own if it has closed. */
  private void start(Runnable task) {
    try {
      base.execute(() -> runAll(task));
    } catch (RejectedExecutionException closed) {
      Thread last = new Thread(() -> runAll(task), "percolate-last");
      last.setDaemon(true);
      last.start();
    }
  }

  /** Begins a turn if nobody has it, else leaves the task to who has. */
  private boolean takes(Runnable task) {
    while (true) {
      Object now = state;
      if (now == null) {
        if (STATE.compareAndSet(this, (Object) null, BUSY)) {
          return true;
        }
      } else if (STATE.compareAndSet(
          this, now, (Object) new Come(task, now instanceof Come before ? before : null))) {
        return false;
      }
    }
  }

  private void runAll(Runnable first) {
    for (Runnable task = first; task != null; task = following()) {
      owner = Thread.currentThread();
      runOne(task);
    }
  }

  private void runOne(Runnable task) {
    try {
      task.run();
      while (overflow != null && overflowed != null) {
        Walk walk = overflowed;
        Throwable error = overflow;
        overflow = null;
        walk.advance(error);
      }
    } catch (Throwable thrown) {
      onEscape.accept(thrown);
    }
  }

  /** Gives the next task, or ends the turn. */
  private @Nullable Runnable following() {
    Runnable task = waiting == null ? null : waiting.poll();
    if (task != null) {
      return task;
    }
    owner = null;
    if (STATE.compareAndSet(this, BUSY, (Object) null)) {
      return null;
    }
    Deque<Runnable> all = waiting == null ? new ArrayDeque<>(2) : waiting;
    waiting = all;
    Come last = (Come) STATE.getAndSet(this, BUSY);
    for (Come come = last; come != null; come = come.before) {
      all.addFirst(come.task);
    }
    return all.poll();
  }
}
