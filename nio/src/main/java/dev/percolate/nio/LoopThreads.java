package dev.percolate.nio;

import dev.percolate.engine.VirtualThreads;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;

/**
 * Creates the threads of the loops: threads of the system, or virtual ones, which share the
 * carriers with the steps that they start.
 *
 * <p>Who starts a virtual thread from one of the system wakes a carrier; a loop that is virtual
 * itself just gives way to those that it has started. But it has to wait for a carrier, as they
 * have, so that the thread that accepts must look whether it goes round.
 */
enum LoopThreads {
  /** A thread of the system for each loop. */
  PLATFORM,
  /** A virtual thread for each loop; only where a selector parks it. */
  VIRTUAL;

  /** Chooses the threads of loops in the mode {@code virtual}: {@code platform, virtual}. */
  static final String PROPERTY = "percolate.loops";

  private static final long TRIAL = TimeUnit.SECONDS.toNanos(1);

  /**
   * Returns the kind that servers use whose steps have virtual threads.
   *
   * @throws IllegalArgumentException if the property names none, or one that this JDK has not
   */
  static LoopThreads chosen() {
    String named = System.getProperty(PROPERTY, "platform");
    if (named.equals("platform")) {
      return PLATFORM;
    } else if (!named.equals("virtual")) {
      throw new IllegalArgumentException(
          "%s=%s: neither platform nor virtual".formatted(PROPERTY, named));
    } else if (!available()) {
      throw new IllegalArgumentException(
          "%s=virtual: a selector of this JDK keeps the carrier of a virtual thread"
              .formatted(PROPERTY));
    }
    return VIRTUAL;
  }

  /**
   * Tells whether somebody else has loops look at the time: a virtual thread that waits for a while
   * sets a timer, which costs as much as a request.
   */
  boolean ticks() {
    return this == VIRTUAL;
  }

  /** Tells whether loops may be virtual threads here. */
  static boolean available() {
    return Trial.PASSED;
  }

  /** Creates the thread of a loop, which is not started yet. */
  Thread create(Runnable loop, String name) {
    if (this == PLATFORM) {
      return new Thread(loop, name);
    }
    Thread thread = VirtualThreads.factory(null).newThread(loop);
    thread.setName(name);
    return thread;
  }

  /** Tells whether a virtual thread that selects leaves its carrier, as the JDK's newer do. */
  private static boolean parks() {
    try (Selector selector = Selector.open()) {
      Thread selecting = VIRTUAL.create(() -> select(selector), "percolate-trial");
      selecting.start();
      boolean parks = isParkedInTime(selecting);
      selector.wakeup();
      return parks;
    } catch (IOException e) {
      return false; // whoever needs a selector will say so
    }
  }

  private static void select(Selector selector) {
    try {
      int ignored = selector.select(TimeUnit.NANOSECONDS.toMillis(2 * TRIAL));
    } catch (IOException | ClosedSelectorException e) {
      // then it has not parked
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

  /** What came of a trial, once for the process; no code of this class runs on other threads. */
  private static final class Trial {

    static final boolean PASSED = VirtualThreads.available() && parks();
  }
}
