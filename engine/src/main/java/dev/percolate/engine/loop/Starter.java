package dev.percolate.engine.loop;

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
 * Gives each task a virtual thread of its own. Those that an event loop asks for in one turn are
 * started by one of them at the end of the turn: each that a thread of the system starts itself
 * wakes a carrier, which takes the processor from the loop, finds one task, and sleeps again. A
 * loop that is a virtual thread starts them all.
 *
 * <p>A thread that cannot be started is tried again, since a lack of memory passes.
 */
public final class Starter implements Executor {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  /** How many wait for each other at most, however long a turn is. */
  private static final int MOST = 64;

  /** As many as make it worth while to wait for them. */
  private static final int MANY = 4;

  private static final int PATIENCE_MICROS = 500;

  private static final long PATIENCE_NANOS = TimeUnit.MICROSECONDS.toNanos(PATIENCE_MICROS);

  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final BooleanSupplier here;
  private final Executor loop;
  private final Executor threads;
  private final Runnable startingAll = this::startAll;
  private final Submissions submissions = new Submissions();

  /** Why a thread could not be started, until that has been logged. */
  private volatile @Nullable Throwable failure;

  /** The loop, from when it starts many until it has waited for them. */
  private volatile @Nullable Thread waiting;

  /** Whether one of those that it waits for goes alone already. */
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
   * @param here tells whether the calling thread is the loop's
   * @param loop does, in the end of its turn, what its own thread asks for
   * @param threads starts a thread for each task
   */
  public Starter(BooleanSupplier here, Executor loop, Executor threads) {
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

  /** Tries again what could not be started; on the loop, now and then. */
  public void retry() {
    Throwable cause = failure;
    if (cause != null) {
      failure = null;
      LOG.log(Level.WARNING, "steps wait, since threads could not be started", cause);
    }
    startAll();
  }

  /**
   * Waits until those that were started in this turn have run, or wait themselves, if they are
   * many; for {@value #PATIENCE_MICROS} µs at most. A loop that waits for its clients instead is
   * woken by the first that has its answer and asks again, takes the processor from the others,
   * finds that one request, and so on: four times as many switches of threads. On the loop, if that
   * is a thread of the system.
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
   * Tells whether what a step wants of the loop is better left to it, since it waits for many that
   * it has started, or is about to: nobody has to wake it. Not for the first of them: with few
   * clients these would all wait meanwhile, and the loop for them afterwards. From any thread;
   * where two ask at the same time both may be the first.
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
    } catch (RuntimeException | Error e) { // the loop ends, or there is no memory to tell it
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
        waiting = Thread.currentThread(); // before one runs, which may be at once
        threads.execute(() -> startEach(all, number));
        batch = number;
      } else {
        threads.execute(() -> startEach(all));
      }
      starts = next;
    } catch (RuntimeException | Error e) {
      failure = e; // they stay where they are
    }
  }

  private void startHere(List<Runnable> all) {
    int started = 0;
    try {
      for (; started < all.size(); started++) {
        all.get(started).run();
      }
    } catch (RuntimeException | Error e) {
      failure = e; // this one and those behind it stay where they are
    }
    all.subList(0, started).clear();
  }

  @SuppressWarnings("ThreadPriorityCheck") // those that it has started run before it goes on
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
   * Takes starts in the manner of the JDK's executors. Agents that follow a request from thread to
   * thread note, where something is submitted to one, what was under way there, and find it again
   * where it runs; the thread that starts the others belongs to no request.
   */
  private final class Submissions extends AbstractExecutorService {

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
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

  /** Starts a thread when it is run; and, if that fails, when it is run again. */
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
