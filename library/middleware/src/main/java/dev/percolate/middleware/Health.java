package dev.percolate.middleware;

import dev.percolate.core.ErrorResponse;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Daemon;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.JsonText;
import dev.percolate.http.Quantity;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Health checks, such as readiness and liveness probes for a load balancer or Kubernetes. Responds
 * with 200 if all checks pass. Responds with 503 if a check fails or takes too long, and during a
 * graceful shutdown.
 *
 * <pre>{@code
 * app.get("/live", Health.live());
 * app.get("/ready", Health.of("db", () -> pool.getConnection().close())
 *     .check("queue", queue::ping)
 *     .timeout(Duration.ofSeconds(1)));
 * }</pre>
 *
 * <p>The response is JSON: {@code {"status":"up","checks":{"db":{"status":"up","millis":3}}}}. The
 * status of a check is {@code up}, {@code down} or {@code timeout}; the overall status is {@code
 * up}, {@code down} or {@code leaving}. The exception of a check is shown to clients for which
 * {@link ErrorResponse#showsTraces} is true, unless the process is in production. Changes between
 * passing and failing, which includes a timeout, are logged.
 *
 * <p>Each check runs on its own thread, so it may block in every thread mode. While a check runs,
 * other requests wait for its result and do not start it again. Each option returns a changed copy:
 *
 * <pre>
 *   check     none   adds a check
 *   detail    none   adds a check that does not change the overall status
 *   timeout   1 s    the time limit for all checks together
 * </pre>
 */
@CheckReturnValue
public final class Health extends Copyable<Health> implements Handler {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private List<NamedCheck> checks = List.of();
  private Duration timeout = Duration.ofSeconds(1);

  private Health() {}

  /** A health check. */
  @FunctionalInterface
  public interface Check {

    /**
     * Checks something. Calls do not overlap.
     *
     * @throws Exception if the check fails
     */
    void run() throws Exception;
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
  private record Outcome(
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

  /** A named check. Runs of it do not overlap. */
  private static final class NamedCheck {

    private final String name;
    private final boolean counts;
    private final Check check;
    private @Nullable CompletableFuture<Outcome> running;
    private boolean failing;

    /** Whether a log entry says that the check that runs takes too long. */
    private boolean late;

    NamedCheck(String name, boolean counts, Check check) {
      this.name = name;
      this.counts = counts;
      this.check = check;
    }

    /** Returns the result of the check; {@code timeout} if it takes too long. */
    CompletableFuture<Outcome> outcome(Duration timeout) {
      Outcome none = new Outcome(name, counts, "timeout", timeout.toMillis(), null);
      return running()
          .copy()
          .completeOnTimeout(none, timeout.toNanos(), TimeUnit.NANOSECONDS)
          .whenComplete(
              (outcome, never) -> {
                if (outcome.status().equals("timeout")) {
                  exceeded(timeout);
                }
              });
    }

    private synchronized void exceeded(Duration timeout) {
      if (running != null && !failing) {
        long millis = timeout.toMillis();
        LOG.log(
            Level.WARNING, "health check \"" + name + "\" has not ended after " + millis + " ms");
        failing = true;
        late = true;
      }
    }

    private synchronized CompletableFuture<Outcome> running() {
      if (running == null) {
        CompletableFuture<Outcome> begun = new CompletableFuture<>();
        // if the start fails, the next call tries again
        Daemon.thread(() -> run(begun), "percolate-health-" + name).start();
        running = begun;
      }
      return running;
    }

    private void run(CompletableFuture<Outcome> outcome) {
      long start = System.nanoTime();
      Throwable error = null;
      try {
        check.run();
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
      if (error != null && (!failing || late)) {
        LOG.log(Level.WARNING, "health check \"" + name + "\" failed", error);
      } else if (error == null && failing) {
        LOG.log(Level.INFO, "health check \"" + name + "\" passes again");
      }
      failing = error != null;
      late = false;
    }
  }

  /** Creates a liveness probe. It responds with 200, even during a graceful shutdown. */
  public static Handler live() {
    return (req, res) -> answer(res, 200, Map.of("status", "up"));
  }

  /** Creates a readiness probe. It responds with 503 during a graceful shutdown, else with 200. */
  public static Health ready() {
    return new Health();
  }

  /**
   * Creates a readiness probe with a check. It also responds with 503 if the check fails.
   *
   * @param name the name of the check
   * @param check the check
   */
  public static Health of(String name, Check check) {
    return ready().check(name, check);
  }

  /**
   * Adds a check.
   *
   * @param name the name of the check
   * @param check the check
   * @throws IllegalArgumentException if the name is blank or already used
   */
  public Health check(String name, Check check) {
    return with(name, check, true);
  }

  /**
   * Adds a check that is reported but does not change the overall status: if it fails, the response
   * is still 200 with {@code up}. Use it for services that all servers share; otherwise all servers
   * would become unready at the same time.
   *
   * @param name the name of the check
   * @param check the check
   * @throws IllegalArgumentException if the name is blank or already used
   */
  public Health detail(String name, Check check) {
    return with(name, check, false);
  }

  private Health with(String name, Check check, boolean counts) {
    Objects.requireNonNull(check, "check must not be null");
    if (name.isBlank() || checks.stream().anyMatch(known -> known.name.equals(name))) {
      throw Options.wrong("check", name, "must be unique and not blank");
    }
    List<NamedCheck> more = new ArrayList<>(checks);
    more.add(new NamedCheck(name, counts, check));
    return with(copy -> copy.checks = List.copyOf(more));
  }

  /**
   * Sets the time limit for all checks of a request together. A check that takes longer continues,
   * and is not started again before it ends. Default: 1 second. The load balancer must wait longer
   * for the response: in Kubernetes, set {@code timeoutSeconds: 2}, since its default is 1 second.
   *
   * @param timeout a positive time
   */
  public Health timeout(Duration timeout) {
    return with(copy -> copy.timeout = Quantity.positive("timeout", timeout));
  }

  @Override
  public void handle(Request req, Response res) {
    if (req.isShuttingDown()) {
      answer(res, 503, Map.of("status", "leaving"));
      return;
    }
    List<CompletableFuture<Outcome>> outcomes =
        checks.stream().map(check -> check.outcome(timeout)).toList();
    boolean shown = !Settings.processEnv().equals("production") && ErrorResponse.showsTraces(req);
    Object unused =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
            .thenRun(
                () -> answer(res, outcomes.stream().map(CompletableFuture::join).toList(), shown));
  }

  private static void answer(Response res, List<Outcome> outcomes, boolean shown) {
    boolean up = outcomes.stream().allMatch(one -> one.isUp() || !one.counts());
    Map<String, Object> checks = new LinkedHashMap<>();
    outcomes.forEach(one -> checks.put(one.name(), one.value(shown)));
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("status", up ? "up" : "down");
    value.put("checks", checks);
    answer(res, up ? 200 : 503, value);
  }

  private static void answer(Response res, int status, Map<String, ?> value) {
    res.status(status)
        .set("Cache-Control", "no-store")
        .set("Content-Type", "application/json; charset=utf-8")
        .end(JsonText.of(value) + "\n");
  }
}
