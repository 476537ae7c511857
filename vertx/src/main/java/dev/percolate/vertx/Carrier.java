package dev.percolate.vertx;

import dev.percolate.core.Turn;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Mounts virtual threads on one event loop.
 *
 * <p>Each continuation, the first included, is a task of the loop: where the engine hands a request
 * over, it may hold monitors, and a thread that parks takes those of its carrier along. What a
 * mounted thread wants done on the loop goes to the outbox, which the loop empties as soon as the
 * thread has parked or ended: so the answer of a step that never parked is written by the task that
 * ran it. The outbox belongs to the loop's thread, which is also the carrier of the thread that is
 * mounted.
 */
final class Carrier {

  private final EventLoop loop;
  private final Queue<Runnable> outbox = new ArrayDeque<>();
  private volatile @Nullable Mount mounted;
  private volatile long mountedAt;

  Carrier(EventLoop loop) {
    this.loop = loop;
  }

  /** Gives the executor of one exchange: a fresh virtual thread for each task. */
  Executor executor(TurnOf exchange) {
    return task -> new Mount(exchange, task).thread.start();
  }

  /** Takes a task for the loop if the calling thread is the one that is mounted. */
  boolean takes(Runnable task) {
    Mount mount = mounted;
    boolean here = mount != null && mount.thread == Thread.currentThread();
    if (here) {
      outbox.add(task);
    }
    return here;
  }

  /** Gives the exchange whose thread has held the loop since before a time, or null. */
  @Nullable Turn mountedBefore(long nanoTime) {
    Mount mount = mounted;
    return mount != null && mountedAt - nanoTime < 0 ? mount.exchange.turn() : null;
  }

  private void emptyOutbox() {
    for (Runnable task = outbox.poll(); task != null; task = outbox.poll()) {
      task.run();
    }
  }

  /** Gives the turn of an exchange once it has one. */
  interface TurnOf {
    Turn turn();
  }

  /** One virtual thread; it is also its scheduler. */
  private final class Mount implements Executor {

    private final TurnOf exchange;
    private final Thread thread;

    Mount(TurnOf exchange, Runnable task) {
      this.exchange = exchange;
      this.thread = CarriedThreads.create(this, task);
    }

    @Override
    public void execute(Runnable continuation) {
      try {
        loop.execute(() -> mount(continuation));
      } catch (RejectedExecutionException closed) {
        // The server is gone, but what the thread holds must be given back.
        Thread last = new Thread(continuation, "percolate-unmounted");
        last.setDaemon(true);
        last.start();
      }
    }

    private void mount(Runnable continuation) {
      mountedAt = System.nanoTime();
      mounted = this;
      try {
        continuation.run();
      } finally {
        mounted = null;
        emptyOutbox();
      }
    }
  }
}
