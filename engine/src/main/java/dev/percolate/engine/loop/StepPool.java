package dev.percolate.engine.loop;

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
 * Gives steps the threads of a bounded pool. One that waits for its client does not count: another
 * takes its place meanwhile, up to a bound.
 *
 * <pre>
 *   size              steps that run; more only while those go on whose wait is over
 *   MOST_REPLACED     steps that wait for their clients beside them
 * </pre>
 *
 * <p>Beyond that each step that waits costs one that could run. When half of those are lost, and
 * requests wait for a thread, clients that have stood still for a second are cut off: as many as
 * there are requests that wait, those first that have done so longest. So clients that do not read
 * what they ask for, however many, keep nobody waiting for long, and where nobody waits they are
 * left to the time-outs.
 */
public final class StepPool implements Executor {

  /** How many threads that wait are replaced. */
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

  /** Whom a thread waits for. */
  public interface Client {

    /**
     * Returns how long the wait has been too long; negative if it has not.
     *
     * @param since when the wait began
     */
    long overdue(long since);

    /** Ends what is waited for; tells whether there was anything to end. */
    boolean cutOff();
  }

  /** One thread that waits; each is itself only. */
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

  /** As many as steps may run; fewer than none while more go on. */
  private static final class Places extends Semaphore {

    private static final long serialVersionUID = 1;

    Places(int count) {
      super(count, true);
    }

    /** Takes a place though there may be none. */
    void take() {
      reducePermits(1);
    }
  }

  /** Has as many threads as have been needed; some of them may have to wait for a place. */
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
    } catch (OutOfMemoryError noThread) { // the system gives no more; those there are will do
      if (threads.getPoolSize() == 0) {
        throw noThread;
      }
      threads.getQueue().add(task);
    }
  }

  /** Waits for a client; if the thread is one of this pool, another may take its place. */
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

  /** Returns how many steps may run at once. */
  public int size() {
    return size;
  }

  /** Returns how many threads there are. */
  public int threads() {
    return threads.getPoolSize();
  }

  /** Cuts off whom others wait for in vain; now and then. */
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

  /** Returns so many that are overdue; fewer by those that have been cut off, and not gone yet. */
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
          "steps wait for clients that stand still on all threads: {0} such clients are cut off",
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
      // the system gives no more; those there are will do
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
