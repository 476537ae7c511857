package dev.percolate.middleware;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.VirtualThreads;
import java.util.concurrent.Executor;

/** Threads that may wait, for what would hold up a timer or an event loop. */
final class SocketThreads {

  private static final Executor THREADS = VirtualThreads.waiting("percolate-socket-");

  /** Whether the thread holds a conversation by waiting; null for no. */
  private static final ThreadLocal<Boolean> HOLDS = new ThreadLocal<>();

  private SocketThreads() {}

  /** Tells whether the calling thread is known to be one that may wait. */
  static boolean mayWait() {
    return VirtualThreads.isCurrent() || HOLDS.get() != null;
  }

  /** Runs a task on the calling thread, which may wait. */
  static void hold(Runnable task) {
    HOLDS.set(true);
    try {
      task.run();
    } finally {
      HOLDS.remove();
    }
  }

  /** Runs a task on a thread that may wait. If it throws, the exception is logged. */
  static void execute(Runnable task) {
    THREADS.execute(() -> Callbacks.run("a task of a socket or stream", task));
  }
}
