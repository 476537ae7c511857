package dev.percolate.middleware.socket;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.VirtualThreads;
import java.util.concurrent.Executor;

/** Threads for blocking tasks, which must not run on a timer or an event loop. */
public final class SocketThreads {

  private static final Executor THREADS = VirtualThreads.blockingExecutor("percolate-socket-");

  /** Whether the thread runs a blocking handler of a socket or stream; null for no. */
  private static final ThreadLocal<Boolean> HOLDS = new ThreadLocal<>();

  private SocketThreads() {}

  /** Returns true if the calling thread is known to be allowed to block. */
  static boolean mayWait() {
    return VirtualThreads.isCurrent() || HOLDS.get() != null;
  }

  /** Runs a task on the calling thread, which is then known to be allowed to block. */
  public static void hold(Runnable task) {
    HOLDS.set(true);
    try {
      task.run();
    } finally {
      HOLDS.remove();
    }
  }

  /** Runs a task on a thread that may block. If the task throws, the exception is logged. */
  public static void execute(Runnable task) {
    THREADS.execute(() -> Callbacks.run("a task of a socket or stream", task));
  }
}
