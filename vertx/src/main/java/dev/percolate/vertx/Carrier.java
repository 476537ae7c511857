package dev.percolate.vertx;

import dev.percolate.core.Turn;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Mounts virtual threads on one event loop.
 *
 * <p>A thread is started inline, within the loop's task that received the request; each later
 * continuation is a task of the loop. What a mounted thread wants done on the loop goes to the
 * outbox, which the loop empties as soon as the thread has parked or ended: so the answer of a step
 * that never parked is written by the task that received the request. All fields belong to the
 * loop's thread, which is also the carrier of the threads that use them.
 */
final class Carrier {

  private final EventLoop loop;
  private final Queue<Runnable> outbox = new ArrayDeque<>();
  private volatile @Nullable Turn mounted;
  private volatile long mountedAt;

  Carrier(EventLoop loop) {
    this.loop = loop;
  }

  /** Gives the executor of one exchange. */
  Executor executor(TurnOf exchange) {
    return new Mounting(exchange);
  }

  /** Leaves a task for the loop; to be called by a mounted thread. */
  void leave(Runnable task) {
    outbox.add(task);
  }

  /** Gives the exchange whose thread has held the loop since before a time, or null. */
  @Nullable Turn mountedBefore(long nanoTime) {
    Turn turn = mounted;
    return turn != null && mountedAt - nanoTime < 0 ? turn : null;
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

  /** Starts the virtual threads of one exchange, and schedules them. */
  private final class Mounting implements Executor {

    private final TurnOf exchange;
    private boolean inline;

    Mounting(TurnOf exchange) {
      this.exchange = exchange;
    }

    @Override
    public void execute(Runnable task) {
      if (loop.inEventLoop()) {
        start(task);
      } else {
        loop.execute(() -> start(task));
      }
    }

    private void start(Runnable task) {
      Thread thread = CarriedThreads.create(this::schedule, task);
      inline = true;
      try {
        thread.start();
      } finally {
        inline = false;
      }
    }

    /** Runs a continuation: only the start inline, since a thread that yields would recurse. */
    private void schedule(Runnable continuation) {
      if (loop.inEventLoop() && inline) {
        inline = false;
        mount(continuation);
      } else {
        loop.execute(() -> mount(continuation));
      }
    }

    private void mount(Runnable continuation) {
      mountedAt = System.nanoTime();
      mounted = exchange.turn();
      try {
        continuation.run();
      } finally {
        mounted = null;
        emptyOutbox();
      }
    }
  }
}
