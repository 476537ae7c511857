package dev.percolate.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the number of virtual threads that compute at the same time; see {@link
 * VirtualThreads#runFairly}.
 */
final class ComputeQueue {

  private static final Semaphore PLACES = new Semaphore(carriers(), true);
  private static final Set<Thread> AT_WORK = ConcurrentHashMap.newKeySet();

  /** After this number of tasks a thread parks, even if no other thread waits for a permit. */
  private static final int SOMETIMES = 8;

  private static final AtomicInteger ENDED = new AtomicInteger();

  private ComputeQueue() {}

  /** Waits for a permit for the calling thread; returns false if it already has one. */
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
   * Yields to other threads, and then releases the permit of the calling thread. The order is
   * important: a thread that gets the permit runs next on this carrier thread. Threads of other
   * queues would never run on a carrier with computing threads.
   *
   * <p>Yielding alone is not sufficient: a carrier continues with the queue that it used last, to
   * which a yielding thread may return repeatedly. A parking thread leaves that queue empty.
   */
  @SuppressWarnings("ThreadPriorityCheck") // for virtual threads
  static void end() {
    if (PLACES.hasQueuedThreads() || ENDED.incrementAndGet() % SOMETIMES == 0) {
      LockSupport.parkNanos(1);
    } else {
      Thread.yield();
    }
    AT_WORK.remove(Thread.currentThread());
    PLACES.release();
  }

  /**
   * Releases the permit of the calling thread, which is about to block; returns whether it had one.
   */
  static boolean leave() {
    boolean had = AT_WORK.remove(Thread.currentThread());
    if (had) {
      PLACES.release();
    }
    return had;
  }

  /** Returns the number of virtual threads that can run at the same time. */
  private static int carriers() {
    int processors = Runtime.getRuntime().availableProcessors();
    int set = Integer.getInteger("jdk.virtualThreadScheduler.parallelism", processors);
    return Math.max(1, Math.min(set, processors));
  }
}
