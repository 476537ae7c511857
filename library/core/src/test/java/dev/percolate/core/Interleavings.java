package dev.percolate.core;

import org.jetbrains.lincheck.Lincheck;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario with several threads in many interleavings, with Lincheck.
 *
 * <p>A scenario creates the shared objects, runs the threads with {@link #inParallel}, and checks
 * the result. Lincheck repeats it from the start for each interleaving. It fails and prints the
 * interleaving if the scenario throws or cannot end. Lincheck itself wakes each parked thread, so
 * lost wake-ups are not detected.
 *
 * <p>{@code -Dlincheck.interleavings=20000} tries more than the build does.
 */
final class Interleavings {

  private static final int COUNT = Integer.getInteger("lincheck.interleavings", 25);

  /**
   * On JDK 19 and later, Lincheck 3.7 treats objects that are referenced only by the task of a
   * thread as local to it, and tries no interleavings of them. Objects that a static field
   * references are shared.
   */
  @SuppressWarnings("unused") // only written
  private static Runnable @Nullable [] shared;

  private Interleavings() {}

  static void check(Runnable scenario) {
    Lincheck.runConcurrentTest(COUNT, scenario);
  }

  /** Runs each task on its own thread, the first on the calling thread, and waits for all. */
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
