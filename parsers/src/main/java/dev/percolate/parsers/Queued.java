package dev.percolate.parsers;

import dev.percolate.core.VirtualThreads;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;

/**
 * Inflates when its turn comes: on virtual threads, only as many bodies at once as there are
 * processors.
 *
 * <p>The JDK runs virtual threads in the order in which they come, so a request behind a thousand
 * bodies would wait until all of them are inflated. Here it waits for one piece of one body: the
 * others stand in a queue of their own. Threads of the system, which take turns anyway, do not; and
 * an event loop must not wait.
 */
final class Queued implements Inflating {

  private static final Semaphore TURNS =
      new Semaphore(Runtime.getRuntime().availableProcessors(), true);

  private final Inflating inflating;

  Queued(Inflating inflating) {
    this.inflating = inflating;
  }

  @Override
  public void add(ByteBuffer piece) {
    inTurn(() -> inflating.add(piece));
  }

  @Override
  public void end() {
    inTurn(inflating::end);
  }

  @Override
  public void close() {
    inflating.close();
  }

  private static void inTurn(Runnable work) {
    if (!VirtualThreads.isCurrent()) {
      work.run();
      return;
    }
    TURNS.acquireUninterruptibly();
    try {
      work.run();
    } finally {
      TURNS.release();
    }
  }
}
