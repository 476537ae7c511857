package dev.percolate.testkit;

import dev.percolate.core.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often the end of an exchange is reported. */
final class EndCounter {

  private static final long CALM_MILLIS = 50;

  private final AtomicInteger count = new AtomicInteger();
  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();

  void watch(Response res) {
    res.onFinish(
        () -> {
          count.incrementAndGet();
          finished.complete(res.finished());
        });
  }

  /** Waits for the end. Returns true if the response was complete. */
  boolean finished() throws Exception {
    return finished.get(ServiceTrial.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns the number of reported ends, after waiting for further ones. */
  int calmCount() throws InterruptedException {
    Thread.sleep(CALM_MILLIS);
    return count.get();
  }
}
