package dev.percolate.nio.loop;

import dev.percolate.engine.Daemon;
import dev.percolate.engine.RestartingTask;
import dev.percolate.engine.VirtualThreads;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds carrier threads to the JDK's scheduler of virtual threads while these starve.
 *
 * <p>The scheduler has as many carriers as there are processors. Handlers that compute, or that
 * block in native code, keep their carrier; a few of them stop all others. More carriers from the
 * start would slow down every request. So while requests are in progress, a probe is started every
 * few milliseconds, and less often while no request arrives or completes. If a probe does not run
 * in time and no request completes meanwhile, a carrier is added. It is removed after some time
 * without starvation. Needs JDK 24.
 *
 * <p>Servers work without this thread: if it fails, the failure is logged and the thread starts
 * again.
 */
public final class CarrierScaler implements Runnable {

  private static final int MOST_ADDED = 16;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

  /**
   * How many consecutive checks must find no progress. A single one may fall into a pause of the
   * whole process, for garbage collection or because the machine ran another process.
   */
  private static final int STARVING_LOOKS = 3;

  private static final long BUSY_MS = 4;
  private static final long IDLE_MS = 25;
  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int IDLE_LOOKS = 40;

  private final ThreadFactory probes;
  private final IntSupplier unanswered;
  private final LongSupplier completed;
  private final Thread thread =
      new Thread(new RestartingTask("carrier scaler", this), "percolate-carrier-scaler");
  private final IntConsumer carriers;
  private volatile boolean stopped;
  private volatile boolean resting;
  private int idle;
  private int waited;
  private long done;
  private int added;
  private long calmSince;

  /**
   * Creates the scaler of one server.
   *
   * @param carriers changes the number of carriers by its argument
   * @param probes creates virtual threads
   */
  CarrierScaler(
      IntConsumer carriers, ThreadFactory probes, IntSupplier unanswered, LongSupplier completed) {
    this.carriers = carriers;
    this.probes = probes;
    this.unanswered = unanswered;
    this.completed = completed;
  }

  /**
   * Creates the scaler of one server, and loads the classes that it needs.
   *
   * @param unanswered returns the number of requests whose handlers have not responded yet
   * @param completed returns the number of completed requests
   * @return the scaler; null if this JDK cannot add carriers
   */
  public static @Nullable CarrierScaler of(IntSupplier unanswered, LongSupplier completed) {
    Carriers found = Carriers.find();
    return found == null
        ? null
        : new CarrierScaler(found::change, VirtualThreads.factory(null), unanswered, completed);
  }

  public void start() {
    new Probe(thread).run(); // loads the class while file descriptors are available
    thread.setDaemon(true);
    thread.start();
  }

  public void stop() {
    stopped = true;
    thread.interrupt();
  }

  /** Wakes the scaler when a request begins. */
  public void wake() {
    if (resting) {
      resting = false;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        look();
      } catch (InterruptedException e) {
        // usually by stop()
      }
    }
    change(-added);
  }

  private void look() throws InterruptedException {
    Thread.sleep(moves() ? BUSY_MS : IDLE_MS);
    if (unanswered.getAsInt() > 0) {
      probe();
    } else if (++idle > IDLE_LOOKS) {
      rest();
    }
  }

  /** Waits for the next request, after about a second without any. */
  private void rest() {
    idle = 0;
    resting = true;
    while (resting && unanswered.getAsInt() == 0 && !thread.isInterrupted()) {
      LockSupport.park(this);
    }
    resting = false;
  }

  /**
   * Returns true if requests are in progress and others began or completed since the last check.
   */
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
   * Starts a probe from another thread. The scheduler has a queue for each submitting thread,
   * roughly, and wakes a carrier only if a task is added to an empty queue. This thread's queue
   * contains the waiting probe, and the queue of the event loop contains the requests.
   */
  private void startElsewhere(Probe probe) {
    Daemon.thread(probes.newThread(probe)::start, "percolate-probe").start();
  }

  /** Changes the number of carriers of the process, and records the number added here. */
  private void change(int by) {
    if (by != 0) {
      carriers.accept(by);
      added += by;
    }
  }

  /** Detects that a virtual thread has run. */
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
        if (Thread.currentThread().isInterrupted()) {
          return ran;
        }
      }
      return ran;
    }
  }
}
