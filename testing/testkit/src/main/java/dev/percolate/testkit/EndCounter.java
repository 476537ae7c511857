package dev.percolate.testkit;

import dev.percolate.core.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Watches how often an exchange tells its end, and what the answer was then. */
final class EndCounter {

  private static final long CALM_MILLIS = 100;

  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();

  void watch(Response res) {
    res.onFinish(
        () -> {
          count.incrementAndGet();
          finished.complete(res.finished());
        });
  }

  /** Waits for the end; tells whether there was a whole answer. */
  boolean finished() throws Exception {
    return finished.get(ServiceTrial.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns how often the end was told, after a while in which it could have been told again. */
  int calmCount() throws InterruptedException {
    Thread.sleep(CALM_MILLIS);
    return count.get();
  }
}
