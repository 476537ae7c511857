package dev.percolate.servlet;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of an exchange on the thread of its request, until that thread leaves.
 *
 * <pre>
 *   WORKING --leave--> LEFT: another executor runs the tasks
 *      |
 *      +------close--> CLOSED: tasks are rejected
 * </pre>
 */
final class RequestThread implements Executor {

  private final Queue<Runnable> tasks = new ArrayDeque<>(2);
  private @Nullable Executor successor;
  private boolean closed;

  /** Passes a task to the thread; after the thread has left, to its successor. */
  @Override
  public void execute(Runnable task) {
    Executor other;
    synchronized (this) {
      if (closed) {
        throw new RejectedExecutionException("the thread of the request has ended");
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

  /** Runs the waiting tasks on the calling thread. */
  void runWaiting() {
    for (Runnable task = poll(); task != null; task = poll()) {
      task.run();
    }
  }

  /** Runs tasks on the calling thread until the exchange ends or the thread may leave. */
  void runAll() {
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  /** Releases the thread after its waiting tasks. The successor runs later tasks. */
  void leave(Executor other) {
    synchronized (this) {
      successor = other;
      notifyAll();
    }
    for (Runnable task = poll(); task != null; task = poll()) {
      other.execute(task);
    }
  }

  /** Releases the thread after its waiting tasks. Later tasks are rejected. */
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
        interrupted = true; // the response is still pending; restored below
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return tasks.poll();
  }
}
