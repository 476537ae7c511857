package dev.percolate.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of one exchange on the thread that brought its request, for as long as that stays.
 *
 * <pre>
 *   WORKING --leave--> LEFT: tasks go to another executor
 *      |
 *      +------close--> CLOSED: tasks are refused
 * </pre>
 */
final class RequestThread implements Executor {

  private final Queue<Runnable> tasks = new ArrayDeque<>(2);
  private @Nullable Executor successor;
  private boolean closed;

  /** Hands a task to the thread; once that has gone, to whom it named. */
  @Override
  public void execute(Runnable task) {
    Executor other;
    synchronized (this) {
      if (closed) {
        throw new RejectedExecutionException("the request's thread has gone");
      }
      other = successor;
      if (other == null) {
        tasks.add(task);
        notifyAll();
        return;
      }
    }
    other.execute(task);
  }

  /** Runs on the calling thread what there is to be run, until nothing is left. */
  void runWaiting() {
    for (Runnable task = poll(); task != null; task = poll()) {
      task.run();
    }
  }

  /** Runs tasks on the calling thread until the exchange is over, or the thread may leave. */
  void runAll() {
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  /** Lets the thread go when nothing waits to be run; who takes its place gets later tasks. */
  void leave(Executor other) {
    synchronized (this) {
      successor = other;
      notifyAll();
    }
    for (Runnable task = poll(); task != null; task = poll()) {
      other.execute(task);
    }
  }

  /** Lets the thread go when nothing waits to be run, since there will be nothing more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  private synchronized @Nullable Runnable poll() {
    return tasks.poll();
  }

  private synchronized @Nullable Runnable take() {
    boolean interrupted = false;
    while (tasks.isEmpty() && !closed && successor == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // the answer is still to come, and who waits for it may see to that
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return tasks.poll();
  }
}
