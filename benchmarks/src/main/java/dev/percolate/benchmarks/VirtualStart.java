package dev.percolate.benchmarks;

import dev.percolate.core.VirtualThreads;
import java.util.concurrent.ThreadFactory;

/** Runs a task on a fresh virtual thread. */
final class VirtualStart {

  private static final ThreadFactory FACTORY = VirtualThreads.factory(null);

  private VirtualStart() {}

  static void run(Runnable task) {
    FACTORY.newThread(task).start();
  }
}
