package dev.percolate.nio.loop;

import dev.percolate.engine.RareWarning;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs handlers on a bounded pool of threads. A thread that waits for its client does not count:
 * another one replaces it meanwhile, up to a limit.
 *
 * <pre>
 *   size              running handlers; more only while handlers continue after a wait
 *   MOST_REPLACED     waiting handlers that are replaced
 * </pre>
 *
 * <p>Beyond that, each waiting handler takes a thread from the others. When half of the threads are
 * lost and requests wait for a thread, clients that have stalled for a second are disconnected. As
 * many are disconnected as there are waiting requests, those that stalled longest first. So clients
 * that do not read their responses cannot block others for long. If no requests wait, only timeouts
 * disconnect clients.
 */
public final class StepPool implements Executor {

  /** The maximum number of waiting threads that are replaced. */
  public static final int MOST_REPLACED = 256;

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final long SHRINK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int size = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());
  private final AtomicInteger number = new AtomicInteger();
  private final Places places = new Places(size);
  private final Pool threads = new Pool();

  // Guarded by waits.
  private final Set<Wait> waits = new HashSet<>();
  private int mostWaits;
  private long shrunkAt = System.nanoTime();
  private final RareWarning warning = new RareWarning();
  private int cutOff;

  /** A client that a thread waits for. */
  public interface Client {

    /**
     * Returns how long the wait has been too long, in nanoseconds; negative if it has not.
     *
     * @param since when the wait began
     */
    long overdue(long since);

    /** Ends the wait. Returns false if there was nothing to end. */
    boolean cutOff();
  }

  /** A waiting thread. Compared by identity. */
  private static final class Wait {

    private final Client client;
    private final long since = System.nanoTime();
    private volatile boolean cut;

    Wait(Client client) {
      this.client = client;
    }

    void cutOff() {
      cut = client.cutOff();
    }
  }

  private record Overdue(Wait one, long nanos) {}

  /** The permits to run handlers. Their number is negative while too many handlers run. */
  private static final class Places extends Semaphore {

    private static final long serialVersionUID = 1;

    Places(int count) {
      super(count, true);
    }

    /** Takes a permit even if there is none. */
    void take() {
      reducePermits(1);
    }
  }

  /** The threads; some of them may have to wait for a permit. */
  private final class Pool extends ThreadPoolExecutor {

    Pool() {
      super(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), PoolThread::new);
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
      try {
        places.acquireUninterruptibly();
      } catch (Error e) { // no memory to wait in the queue; the task must not be lost
        places.take();
      }
    }

    @Override
    protected void afterExecute(Runnable task, Throwable failure) {
      places.release();
    }

    void resize(int count) {
      if (count > getMaximumPoolSize()) {
        setMaximumPoolSize(count);
        setCorePoolSize(count);
      } else {
        setCorePoolSize(count);
        setMaximumPoolSize(count);
      }
    }
  }

  private final class PoolThread extends Thread {

    PoolThread(Runnable task) {
      super(task, "percolate-pool-" + number.incrementAndGet());
    }

    StepPool pool() {
      return StepPool.this;
    }
  }

  @Override
  public void execute(Runnable task) {
    try {
      threads.execute(task);
    } catch (OutOfMemoryError noThread) { // no more threads; the existing ones continue
      if (threads.getPoolSize() == 0) {
        throw noThread;
      }
      threads.getQueue().add(task);
    }
  }

  /** Waits for a client. If the calling thread belongs to this pool, another one may replace it. */
  public void await(Client client, Runnable waiting) {
    if (!(Thread.currentThread() instanceof PoolThread own) || own.pool() != this) {
      waiting.run();
      return;
    }
    Wait wait = new Wait(client);
    begin(wait);
    try {
      waiting.run();
    } finally {
      end(wait);
    }
  }

  /** Returns the number of handlers that may run at once. */
  public int size() {
    return size;
  }

  /** Returns the number of threads. */
  public int threads() {
    return threads.getPoolSize();
  }

  /** Disconnects stalled clients while requests wait for threads. Called periodically. */
  public void check(long now) {
    List<Overdue> stalled;
    synchronized (waits) {
      shrink(now);
      int needed = threads.getQueue().size() + places.getQueueLength();
      if (needed == 0 || waits.size() <= MOST_REPLACED + size / 2) {
        return;
      }
      stalled = longestOverdue(needed);
      stalled.forEach(overdue -> overdue.one.cut = true);
      warn(stalled.size());
    }
    stalled.forEach(overdue -> overdue.one.cutOff());
  }

  public void close() {
    threads.shutdown();
  }

  /**
   * Returns the longest overdue waits, at most {@code needed} minus those that are already ending.
   */
  private List<Overdue> longestOverdue(int needed) {
    long leaving = waits.stream().filter(wait -> wait.cut).count();
    return waits.stream()
        .filter(wait -> !wait.cut)
        .map(wait -> new Overdue(wait, wait.client.overdue(wait.since)))
        .filter(overdue -> overdue.nanos > 0)
        .sorted(Comparator.comparingLong(Overdue::nanos).reversed())
        .limit(Math.max(0, needed - leaving))
        .toList();
  }

  private void warn(int count) {
    cutOff += count;
    if (cutOff > 0 && warning.isDue()) {
      LOG.log(
          Level.WARNING,
          "All pool threads are blocked by stalled clients; closed {0} connections.",
          cutOff);
      cutOff = 0;
    }
  }

  private void begin(Wait wait) {
    synchronized (waits) {
      waits.add(wait);
      mostWaits = Math.max(mostWaits, waits.size());
      int wanted = wanted(waits.size());
      if (wanted > threads.getCorePoolSize()) {
        grow(wanted);
      }
    }
    places.release();
  }

  private void end(Wait wait) {
    places.take();
    synchronized (waits) {
      waits.remove(wait);
    }
  }

  private void grow(int count) {
    try {
      threads.resize(count);
    } catch (OutOfMemoryError noThread) {
      // no more threads; the existing ones continue
    }
  }

  /** Ends threads that have not been needed for some time. */
  private void shrink(long now) {
    if (now - shrunkAt > SHRINK_NANOS) {
      shrunkAt = now;
      int wanted = wanted(mostWaits);
      mostWaits = waits.size();
      if (wanted < threads.getCorePoolSize()) {
        threads.resize(wanted);
      }
    }
  }

  private int wanted(int waiting) {
    return size + Math.min(waiting, MOST_REPLACED);
  }
}
