package dev.percolate.nio;

import dev.percolate.engine.VirtualThreads;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;

/**
 * The threads of the event loops: platform threads, or virtual threads, which share carriers with
 * the handlers that they start.
 *
 * <p>A platform thread that starts a virtual thread must wake a carrier. A loop on a virtual thread
 * only has to yield to the threads that it started. But it may have to wait for a carrier itself,
 * so the acceptor checks whether it makes progress.
 */
enum LoopThreads {
  /** A platform thread for each loop. */
  PLATFORM,
  /**
   * A virtual thread for each loop. Only on a JDK where a selector releases the carrier. Another
   * thread wakes the loops for their timeouts: a virtual thread that waits for a limited time sets
   * a timer, which costs as much as a request.
   */
  VIRTUAL;

  /**
   * The property that selects the loops' threads in the mode {@code virtual}: {@code platform}
   * (default) or {@code virtual}.
   */
  static final String PROPERTY = "percolate.loops";

  private static final long TRIAL = TimeUnit.SECONDS.toNanos(1);

  /**
   * Returns the kind of threads for servers in the mode {@code virtual}.
   *
   * @throws IllegalArgumentException if the property is invalid, or this JDK does not support it
   */
  static LoopThreads chosen() {
    String named = System.getProperty(PROPERTY, "platform");
    if (named.equals("platform")) {
      return PLATFORM;
    } else if (!named.equals("virtual")) {
      throw new IllegalArgumentException(
          "%s must be platform or virtual, was %s".formatted(PROPERTY, named));
    } else if (!available()) {
      throw new IllegalArgumentException(
          "%s=virtual needs a JDK whose selectors release carrier threads".formatted(PROPERTY));
    }
    return VIRTUAL;
  }

  /** Returns true if this JDK supports loops on virtual threads. */
  static boolean available() {
    return Trial.PASSED;
  }

  /** Creates the thread of a loop, without starting it. */
  Thread create(Runnable loop, String name) {
    if (this == PLATFORM) {
      return new Thread(loop, name);
    }
    Thread thread = VirtualThreads.factory(null).newThread(loop);
    thread.setName(name);
    return thread;
  }

  /** Returns true if a virtual thread that waits in a selector releases its carrier. */
  private static boolean parks() {
    try (Selector selector = Selector.open()) {
      Thread selecting = VIRTUAL.create(() -> select(selector), "percolate-trial");
      selecting.start();
      boolean parks = isParkedInTime(selecting);
      selector.wakeup();
      return parks;
    } catch (IOException e) {
      return false; // code that needs a selector will report this
    }
  }

  private static void select(Selector selector) {
    try {
      int ignored = selector.select(TimeUnit.NANOSECONDS.toMillis(2 * TRIAL));
    } catch (IOException | ClosedSelectorException e) {
      // then it was not parked
    }
  }

  private static boolean isParkedInTime(Thread selecting) {
    long end = System.nanoTime() + TRIAL;
    while (System.nanoTime() - end < 0 && selecting.isAlive()) {
      Thread.State state = selecting.getState();
      if (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** The result of a trial, once per process. The threads of the trial must not use this class. */
  private static final class Trial {

    static final boolean PASSED = VirtualThreads.available() && parks();
  }
}
