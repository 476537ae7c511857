package dev.percolate.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Has virtual threads that compute wait for one another; see {@link VirtualThreads#inTurn}. */
final class ComputeQueue {

  private static final Semaphore PLACES = new Semaphore(carriers(), true);
  private static final Set<Thread> AT_WORK = ConcurrentHashMap.newKeySet();

  /** After so many turns a thread parks although nobody waits for its place. */
  private static final int SOMETIMES = 8;

  private static final AtomicInteger ENDED = new AtomicInteger();

  private ComputeQueue() {}

  /** Waits for the calling thread's turn; false if it has it already. */
  static boolean begin() {
    Thread thread = Thread.currentThread();
    if (AT_WORK.contains(thread)) {
      return false;
    }
    PLACES.acquireUninterruptibly();
    AT_WORK.add(thread);
    return true;
  }

  /**
   * Ends the calling thread's turn; but first those get theirs that just want to run. This order
   * counts: a thread that is let in here becomes the next of this carrier, before all that come
   * from elsewhere, so a carrier with computing threads would never look at these.
   *
   * <p>To yield does not do for ever: a carrier goes on with the queue that it took from last, into
   * which the thread that yields may come again, and again. One that parks leaves that queue empty.
   */
  @SuppressWarnings("ThreadPriorityCheck") // virtual threads yield to one another
  static void end() {
    if (PLACES.hasQueuedThreads() || ENDED.incrementAndGet() % SOMETIMES == 0) {
      LockSupport.parkNanos(1);
    } else {
      Thread.yield();
    }
    AT_WORK.remove(Thread.currentThread());
    PLACES.release();
  }

  /** Ends the calling thread's turn at once, if it has one, because it is about to wait. */
  static boolean leave() {
    boolean had = AT_WORK.remove(Thread.currentThread());
    if (had) {
      PLACES.release();
    }
    return had;
  }

  /** As many as virtual threads can run at once. */
  private static int carriers() {
    int processors = Runtime.getRuntime().availableProcessors();
    int set = Integer.getInteger("jdk.virtualThreadScheduler.parallelism", processors);
    return Math.max(1, Math.min(set, processors));
  }
}
