package dev.percolate.engine.loop;

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
 * <p>The scheduler has as many carriers as there are processors, and steps that compute, or that
 * read what blocks in the kernel, keep theirs: a few of them stop all others. To have more carriers
 * from the start would cost every request. So while requests wait for their answer, a probe is
 * started every few milliseconds, and less often while none arrives and none is completed; if it
 * does not run in time and no request has been completed meanwhile, a carrier is added, and taken
 * back when all has been well for some time. Needs JDK 24.
 *
 * <p>Nothing depends on this thread: if it fails, that is logged and it starts again.
 */
public final class CarrierScaler implements Runnable {

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

  private final ThreadFactory probes;
  private final IntSupplier unanswered;
  private final LongSupplier completed;
  private final Thread thread =
      new Thread(new RestartingTask("carrier scaler", this), "percolate-relief");
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
   * @param unanswered counts the requests whose steps have not given an answer yet
   * @param completed counts the requests completed
   * @return the scaler; null if carriers cannot be added on this JDK
   */
  public static @Nullable CarrierScaler of(IntSupplier unanswered, LongSupplier completed) {
    Carriers found = Carriers.find();
    return found == null
        ? null
        : new CarrierScaler(found::change, VirtualThreads.factory(null), unanswered, completed);
  }

  public void start() {
    new Probe(thread).run(); // loads the class while there are files to load it from
    thread.setDaemon(true);
    thread.start();
  }

  public void stop() {
    stopped = true;
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
    if (by != 0) {
      carriers.accept(by);
      added += by;
    }
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
        if (Thread.currentThread().isInterrupted()) {
          return ran;
        }
      }
      return ran;
    }
  }
}
