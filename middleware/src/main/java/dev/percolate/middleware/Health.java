package dev.percolate.middleware;

import dev.percolate.core.FinalHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Tells those who send requests here whether they should go on: 200 if all checks pass, 503 if one
 * fails or takes too long, and as soon as a server of the application is leaving.
 *
 * <pre>{@code
 * app.get("/live", Health.live());
 * app.get("/ready", Health.of("db", () -> pool.getConnection().close())
 *     .check("queue", queue::ping)
 *     .timeout(Duration.ofSeconds(1)));
 * }</pre>
 *
 * <p>The answer is JSON: {@code {"status":"up","checks":{"db":{"status":"up","millis":3}}}}, the
 * status of a check being {@code up}, {@code down} or {@code timeout}, that of all {@code up},
 * {@code down} or {@code leaving}. What a check has thrown is shown to clients that {@link
 * FinalHandler#showsTraces} names, and logged when a check begins or ceases to fail.
 *
 * <p>Each check runs on a thread of its own, so it may block in every thread mode; while one runs,
 * further requests wait for its outcome and start no other. Each option returns a changed copy:
 *
 * <pre>
 *   check     none   one more check
 *   detail    none   one more check that does not change the status
 *   timeout   1 s    how long the checks of a request may take, all at once
 * </pre>
 */
@CheckReturnValue
public final class Health implements Handler {

  private final List<HealthCheck> checks;
  private final Duration timeout;

  private Health(List<HealthCheck> checks, Duration timeout) {
    this.checks = checks;
    this.timeout = timeout;
  }

  /** A check. */
  @FunctionalInterface
  public interface Check {

    /**
     * Checks something; called by one thread at a time.
     *
     * @throws Exception if it is not well
     */
    void run() throws Exception;
  }

  /** Answers 200 as long as the process can answer, also while it is leaving. */
  public static Handler live() {
    return (req, res) -> answer(res, 200, Map.of("status", "up"));
  }

  /** Answers 503 while a server of the application is leaving, else 200. */
  public static Health ready() {
    return new Health(List.of(), Duration.ofSeconds(1));
  }

  /**
   * Answers 503 while a check fails, too.
   *
   * @param name its name
   * @param check the check
   */
  public static Health of(String name, Check check) {
    return ready().check(name, check);
  }

  /**
   * Adds a check.
   *
   * @param name its name
   * @param check the check
   * @throws IllegalArgumentException if there is one of that name, or the name is empty
   */
  public Health check(String name, Check check) {
    return with(name, check, true);
  }

  /**
   * Adds a check that is reported but does not change the overall status: if it fails, the response
   * is still 200 with {@code up}. Use it for services that all servers share; otherwise all servers
   * would become unready at the same time.
   *
   * @param name its name
   * @param check the check
   * @throws IllegalArgumentException if there is one of that name, or the name is empty
   */
  public Health detail(String name, Check check) {
    return with(name, check, false);
  }

  private Health with(String name, Check check, boolean counts) {
    Objects.requireNonNull(check, "check(…, null)");
    if (name.isBlank() || checks.stream().anyMatch(known -> known.name().equals(name))) {
      throw Options.wrong("check", name, "empty, or the name of another check");
    }
    List<HealthCheck> more = new ArrayList<>(checks);
    more.add(
        new HealthCheck(
            name,
            counts,
            () -> {
              check.run();
              return name;
            }));
    return new Health(List.copyOf(more), timeout);
  }

  /**
   * Chooses how long the checks of a request may take, all at once. One that takes longer goes on,
   * and is not started again before it has ended.
   *
   * @param timeout longer than nothing
   */
  public Health timeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw Options.wrong("timeout", timeout.toString(), "not longer than nothing");
    }
    return new Health(checks, timeout);
  }

  @Override
  public void handle(Request req, Response res) {
    if (req.leaving()) {
      answer(res, 503, Map.of("status", "leaving"));
      return;
    }
    List<CompletableFuture<HealthCheck.Outcome>> outcomes =
        checks.stream().map(check -> check.outcome(timeout)).toList();
    boolean shown = FinalHandler.showsTraces(req);
    Object unused =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
            .thenRun(
                () -> answer(res, outcomes.stream().map(CompletableFuture::join).toList(), shown));
  }

  private static void answer(Response res, List<HealthCheck.Outcome> outcomes, boolean shown) {
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
