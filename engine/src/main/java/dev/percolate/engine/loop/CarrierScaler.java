package dev.percolate.engine.loop;

import dev.percolate.engine.Halt;
import dev.percolate.engine.VirtualThreads;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Adds carrier threads to the JDK's scheduler of virtual threads while these starve.
 *
 * <p>The scheduler has as many carriers as there are processors, and steps that compute, or that
 * read what blocks in the kernel, keep theirs: a few of them stop all others. To have more carriers
 * from the start would cost every request. So while requests wait for their answer, a probe is
 * started every few milliseconds, and less often while none arrives and none is completed; if it
 * does not run in time and no request has been completed meanwhile, a carrier is added, and taken
 * back when all has been well for some time. Needs JDK 24.
 */
public final class CarrierScaler implements Runnable {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");
  private static final int FIRST_JDK = 24;
  private static final int MOST_ADDED = 16;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /**
   * How many looks in a row must see nothing move. One may fall into a time in which the whole
   * process stood still, for the collector or because the machine ran somebody else.
   */
  private static final int STARVING_LOOKS = 3;

  private static final long BUSY_MS = 4;
  private static final long IDLE_MS = 25;
  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int IDLE_LOOKS = 40;

  private final ThreadFactory probes = VirtualThreads.factory(null);
  private final IntSupplier unanswered;
  private final LongSupplier completed;
  private final Thread thread =
      new Thread(Halt.onError("relief of the scheduler", this), "percolate-relief");
  private volatile boolean resting;
  private int idle;
  private int waited;
  private long done;
  private boolean refused;
  private int added;
  private long calmSince;

  /**
   * Creates the relief of one server.
   *
   * @param unanswered counts the requests whose steps have not given an answer yet
   * @param completed counts the requests completed
   */
  public CarrierScaler(IntSupplier unanswered, LongSupplier completed) {
    this.unanswered = unanswered;
    this.completed = completed;
  }

  public static boolean available() {
    return Runtime.version().feature() >= FIRST_JDK;
  }

  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  public void stop() {
    thread.interrupt();
  }

  /** Notes that a request has begun to wait for its answer. */
  public void wake() {
    if (resting) {
      resting = false;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    try {
      while (!Thread.interrupted()) {
        Thread.sleep(moves() ? BUSY_MS : IDLE_MS);
        if (unanswered.getAsInt() > 0) {
          probe();
        } else if (++idle > IDLE_LOOKS) {
          rest();
        }
      }
    } catch (InterruptedException e) {
      // the server has been closed
    } finally {
      change(-added);
    }
  }

  /** Waits for the next request, after a second or so without any. */
  private void rest() {
    idle = 0;
    resting = true;
    while (resting && unanswered.getAsInt() == 0 && !thread.isInterrupted()) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /** Tells whether requests wait, and others came or were completed since the last look. */
  private boolean moves() {
    int waits = unanswered.getAsInt();
    long now = completed.getAsLong();
    boolean moved = waits != waited || now != done;
    waited = waits;
    done = now;
    idle = moved ? 0 : idle;
    return moved && waits > 0;
  }

  private void probe() {
    Probe probe = new Probe(thread);
    probes.newThread(probe).start();
    boolean starved = false;
    int looks = 0;
    long before = completed.getAsLong();
    while (!probe.ranWithin(LOOK_NANOS) && !thread.isInterrupted()) {
      long now = completed.getAsLong();
      looks = now == before ? looks + 1 : 0;
      before = now;
      if (looks >= STARVING_LOOKS && added < MOST_ADDED) {
        looks = 0;
        starved = true;
        change(1);
        startElsewhere(probe);
      }
    }
    long now = System.nanoTime();
    if (starved) {
      calmSince = now;
    } else if (added > 0 && now - calmSince > CALM_NANOS) {
      calmSince = now;
      change(-1);
    }
  }

  /**
   * Starts a probe on a thread of its own. The scheduler has a queue for each of the threads that
   * bring it work, more or less, and wakes a carrier only for what comes to an empty one: ours
   * holds the probe that waits, and that of the event loop the requests.
   */
  private void startElsewhere(Probe probe) {
    Thread bringer = new Thread(probes.newThread(probe)::start, "percolate-probe");
    bringer.setDaemon(true);
    bringer.start();
  }

  /** Changes the number of carriers, which belong to the whole process, by our own share. */
  private void change(int by) {
    if (by == 0 || refused) {
      return;
    }
    try {
      changeParallelism(by);
      added += by;
    } catch (ReflectiveOperationException e) {
      refused = true;
      LOG.log(Level.DEBUG, "the scheduler of virtual threads cannot be changed", e);
    }
  }

  /** Reads and sets in one: another server of this process may be at it, too. */
  private static synchronized void changeParallelism(int by) throws ReflectiveOperationException {
    Class<? extends PlatformManagedObject> type =
        Class.forName("jdk.management.VirtualThreadSchedulerMXBean")
            .asSubclass(PlatformManagedObject.class);
    Object scheduler = ManagementFactory.getPlatformMXBean(type);
    int now = (int) type.getMethod("getParallelism").invoke(scheduler);
    type.getMethod("setParallelism", int.class).invoke(scheduler, now + by);
  }

  /** Notes that a virtual thread got its turn. */
  private static final class Probe implements Runnable {

    private final Thread waiting;
    private volatile boolean ran;

    Probe(Thread waiting) {
      this.waiting = waiting;
    }

    @Override
    public void run() {
      ran = true;
      LockSupport.unpark(waiting);
    }

    boolean ranWithin(long nanos) {
      long end = System.nanoTime() + nanos;
      for (long left = nanos; !ran && left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(this, left);
        if (waiting.isInterrupted()) {
          return ran;
        }
      }
      return ran;
    }
  }
}
