package dev.percolate.middleware;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A named health check. Runs of it do not overlap. */
final class HealthCheck {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final String name;
  private final boolean counts;
  private final Callable<?> check;
  private @Nullable CompletableFuture<Outcome> running;
  private boolean failing;

  HealthCheck(String name, boolean counts, Callable<?> check) {
    this.name = name;
    this.counts = counts;
    this.check = check;
  }

  /**
   * The result of a check.
   *
   * @param name the name of the check
   * @param counts whether a failure makes the overall status {@code down}
   * @param status {@code up}, {@code down} or {@code timeout}
   * @param millis the duration of the check
   * @param error the exception of the check, or null
   */
  record Outcome(
      String name, boolean counts, String status, long millis, @Nullable Throwable error) {

    boolean isUp() {
      return status.equals("up");
    }

    Map<String, Object> value(boolean shown) {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("status", status);
      value.put("millis", millis);
      if (shown && error != null) {
        value.put("error", error.toString());
      }
      return value;
    }
  }

  String name() {
    return name;
  }

  /** Returns the result of the check; {@code timeout} if it takes too long. */
  CompletableFuture<Outcome> outcome(Duration timeout) {
    Outcome late = new Outcome(name, counts, "timeout", timeout.toMillis(), null);
    return running().copy().completeOnTimeout(late, timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized CompletableFuture<Outcome> running() {
    if (running == null) {
      CompletableFuture<Outcome> begun = new CompletableFuture<>();
      Thread thread = new Thread(() -> run(begun), "percolate-health-" + name);
      thread.setDaemon(true);
      thread.start(); // if it fails, the next call tries again
      running = begun;
    }
    return running;
  }

  private void run(CompletableFuture<Outcome> outcome) {
    long start = System.nanoTime();
    Throwable error = null;
    try {
      Object unused = check.call();
    } catch (Throwable thrown) {
      error = thrown;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    ended(error);
    outcome.complete(new Outcome(name, counts, error == null ? "up" : "down", millis, error));
  }

  /** Allows the next run, and logs changes between passing and failing. */
  private synchronized void ended(@Nullable Throwable error) {
    running = null;
    if (error != null && !failing) {
      LOG.log(Level.WARNING, "health check \"" + name + "\" failed", error);
    } else if (error == null && failing) {
      LOG.log(Level.INFO, "health check \"" + name + "\" passes again");
    }
    failing = error != null;
  }
}
