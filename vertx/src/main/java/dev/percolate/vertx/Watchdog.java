package dev.percolate.vertx;

import dev.percolate.core.Turn;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Names the steps that hold an event loop for too long in the mode {@code carried}. */
final class Watchdog implements Runnable {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");
  private static final long TOO_LONG_MS = 100;

  private final List<Carrier> carriers;
  private final Thread thread = new Thread(this, "percolate-watchdog");
  private @Nullable Turn named;

  Watchdog(List<Carrier> carriers) {
    this.carriers = carriers;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void stop() {
    thread.interrupt();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(TOO_LONG_MS / 2);
        carriers.forEach(this::look);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Carrier carrier) {
    long before = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(TOO_LONG_MS);
    Turn turn = carrier.mountedBefore(before);
    if (turn != null && turn != named) {
      named = turn;
      LOG.log(
          Level.WARNING,
          "a step has held an event loop for more than {0} ms, and with it all its connections: {1}",
          TOO_LONG_MS,
          turn);
    }
  }
}
