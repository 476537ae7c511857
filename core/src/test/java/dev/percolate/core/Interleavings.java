package dev.percolate.core;

import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario of several threads in many interleavings of their steps, by Lincheck.
 *
 * <p>A scenario creates what its threads share, runs them by {@link #inParallel}, and checks what
 * has come of it. Lincheck repeats it from the start for each interleaving, fails if it throws or
 * cannot end, and prints the interleaving that failed. It wakes each parked thread by itself, so a
 * wake-up that is lost does not show.
 *
 * <p>{@code -Dlincheck.interleavings=20000} tries more than those of a build.
 */
final class Interleavings {

  private static final int COUNT = Integer.getInteger("lincheck.interleavings", 25);

  /**
   * From JDK 19 on Lincheck 3.7 takes what only the task of a thread refers to for that thread's
   * own, and tries no interleavings of it; what a static field refers to is shared.
   */
  @SuppressWarnings("unused") // written to for that alone
  private static Runnable @Nullable [] shared;

  private Interleavings() {}

  static void check(Runnable scenario) {
    Lincheck.runConcurrentTest(COUNT, scenario);
  }

  /** Runs each of these by a thread of its own, the first by the caller's; returns at their end. */
  static void inParallel(Runnable... parts) {
    shared = parts;
    Thread[] threads = new Thread[parts.length];
    Throwable[] failures = new Throwable[parts.length];
    for (int i = 1; i < parts.length; i++) {
      int number = i;
      threads[i] = new Thread(() -> failures[number] = failure(parts[number]));
      threads[i].start();
    }
    failures[0] = failure(parts[0]);
    for (int i = 0; i < parts.length; i++) {
      if (i > 0) {
        join(threads[i]);
      }
      if (failures[i] != null) {
        throw new AssertionError("thread " + i + " failed", failures[i]);
      }
    }
  }

  private static @Nullable Throwable failure(Runnable part) {
    try {
      part.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
