package dev.percolate.nio.loop;

import dev.percolate.engine.VirtualThreads;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs each task on its own virtual thread. The threads for tasks that an event loop submits in one
 * iteration are started by one virtual thread at the end of the iteration. Each start by a platform
 * thread would wake a carrier, which takes the processor from the loop, runs one task, and sleeps
 * again. A loop on a virtual thread starts all of them itself.
 *
 * <p>A thread that cannot be started is tried again, since a lack of memory may pass.
 */
public final class VirtualThreadBatcher implements Executor {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  /** The maximum number of tasks that are started together. */
  private static final int MOST = 64;

  /** The minimum number of tasks for which the loop waits. */
  private static final int MANY = 4;

  private static final int PATIENCE_MICROS = 500;

  private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(PATIENCE_MICROS);

  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final BooleanSupplier here;
  private final Executor loop;
  private final Executor threads;
  private final Runnable startingAll = this::startAll;
  private final Submissions submissions = new Submissions();

  /** Why a thread could not be started; null once that has been logged. */
  private volatile @Nullable Throwable failure;

  /** The loop's thread, from starting many tasks until it has waited for them. */
  private volatile @Nullable Thread waiting;

  /** Whether one of the tasks that the loop waits for already writes its own response. */
  private volatile boolean oneGoesAlone;

  private volatile int begun;

  // Used on the loop only.
  private boolean awaited;
  private int batch;
  private List<Runnable> starts = new ArrayList<>();
  private boolean asked;

  /**
   * Creates the starter of one loop.
   *
   * @param here returns true on the loop's thread
   * @param loop runs tasks of the loop's own thread at the end of the iteration
   * @param threads starts a thread for each task
   */
  public VirtualThreadBatcher(BooleanSupplier here, Executor loop, Executor threads) {
    this.here = here;
    this.loop = loop;
    this.threads = threads;
  }

  @Override
  public void execute(Runnable task) {
    if (!here.getAsBoolean()) {
      threads.execute(task);
      return;
    }
    submissions.take(() -> threads.execute(task));
    if (starts.size() >= MOST) {
      startAll();
    } else if (!asked) {
      ask();
    }
  }

  /** Tries again to start threads that could not be started. Called on the loop, periodically. */
  public void retry() {
    Throwable cause = failure;
    if (cause != null) {
      failure = null;
      LOG.log(Level.WARNING, "threads could not be started; requests wait", cause);
    }
    startAll();
  }

  /**
   * Waits until the tasks started in this iteration have run, or wait themselves; at most {@value
   * #PATIENCE_MICROS} µs, and only if there are many tasks. Otherwise the first task that responds
   * would wake the loop, which takes the processor from the other tasks for one request, and so on.
   * Called on the loop if that is a platform thread.
   */
  public void awaitStarted() {
    awaited = true;
    if (waiting == null) {
      return;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    for (long left = PATIENCE_NANOS; left > 0 && begun != batch; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    waiting = null;
  }

  /**
   * Returns true if a task should leave its response to the loop, which waits for many tasks anyway
   * and need not be woken. False for the first task: with few clients, all of them would wait
   * meanwhile, and the loop for them afterwards. May be called on any thread; of two calls at the
   * same time, both may be the first.
   */
  public boolean gathers() {
    if (waiting == null) {
      return false;
    }
    if (oneGoesAlone) {
      return true;
    }
    oneGoesAlone = true;
    return false;
  }

  private void ask() {
    try {
      loop.execute(startingAll);
      asked = true;
    } catch (RuntimeException | Error e) { // the loop ends, or there is no memory to notify it
      startAll();
    }
  }

  private void startAll() {
    asked = false;
    List<Runnable> all = starts;
    if (all.size() <= 1 || VirtualThreads.isCurrent()) {
      startHere(all);
      return;
    }
    try {
      List<Runnable> next = new ArrayList<>();
      if (awaited && all.size() >= MANY) {
        int number = batch + 1;
        oneGoesAlone = false;
        waiting = Thread.currentThread(); // set before a task runs, which may be at once
        threads.execute(() -> startEach(all, number));
        batch = number;
      } else {
        threads.execute(() -> startEach(all));
      }
      starts = next;
    } catch (RuntimeException | Error e) {
      failure = e; // the tasks stay in the list
    }
  }

  private void startHere(List<Runnable> all) {
    int started = 0;
    try {
      for (; started < all.size(); started++) {
        all.get(started).run();
      }
    } catch (RuntimeException | Error e) {
      failure = e; // this task and those after it stay in the list
    }
    all.subList(0, started).clear();
  }

  @SuppressWarnings("ThreadPriorityCheck") // lets the started tasks run first
  private void startEach(List<Runnable> all, int number) {
    startEach(all);
    Thread.yield();
    begun = number;
    LockSupport.unpark(waiting);
  }

  private void startEach(List<Runnable> all) {
    int i = 0;
    while (i < all.size()) {
      try {
        all.get(i).run();
        i++;
      } catch (RuntimeException | Error e) {
        failure = e;
        pause();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // it needs no memory
  private static void pause() {
    try {
      LockSupport.parkNanos(AGAIN_NANOS);
    } catch (RuntimeException | Error e) {
      Thread.yield();
    }
  }

  /**
   * Submits starts like the JDK's executors. Tracing agents record the context of a task when it is
   * submitted to an executor, and restore it when the task runs. The thread that starts the others
   * belongs to no request.
   */
  private final class Submissions extends AbstractExecutorService {

    @SuppressWarnings("FutureReturnValueIgnored") // the result is not used
    void take(Runnable start) {
      submit(start);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable start, T value) {
      return new Start<>(start);
    }

    @Override
    public void execute(Runnable start) {
      starts.add(start);
    }

    @Override
    public void shutdown() {
      // it has no threads
    }

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  /** Starts a thread each time it runs, so a failed start can be repeated. */
  private static final class Start<T> extends CompletableFuture<T> implements RunnableFuture<T> {

    private final Runnable start;

    Start(Runnable start) {
      this.start = start;
    }

    @Override
    public void run() {
      start.run();
    }
  }
}
