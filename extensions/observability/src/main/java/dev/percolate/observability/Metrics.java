package dev.percolate.observability;

import dev.percolate.core.AppCounters;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.engine.BodyMemory;
import dev.percolate.http.KnownMethods;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that records request metrics with Micrometer, an optional dependency.
 *
 * <pre>{@code
 * app.use(Metrics.of(registry).counters(app.counters()).gauge("percolate.log.lost", sink::lost));
 * app.get("/metrics", Metrics.text(prometheusRegistry::scrape));
 * }</pre>
 *
 * <pre>
 *   http.server.requests       timer: method, route, status, outcome
 *   http.server.active         gauge: requests in progress
 *   http.server.refused        counter by status: requests rejected by the engine
 *   percolate.body.held        gauge: bytes of bodies in memory
 *   percolate.body.budget      gauge: maximum bytes of bodies in memory
 *   percolate.body.waiting     gauge: bodies that wait for memory
 * </pre>
 *
 * <p>The number of series does not depend on the paths that clients request. The route is {@link
 * Request#routePath}, or {@code NOT_FOUND} if no route matches. Methods that are not HTTP methods
 * are {@code OTHER}. If the client disconnects before the response, the status is {@code none} and
 * the outcome {@code ABORTED}.
 *
 * <p>Add it before all other middleware. Time spent in earlier middleware is not measured. If
 * several applications share a registry, add the same instance to each: Micrometer ignores a second
 * gauge of the same name, so the requests in progress of another instance would not count.
 */
public final class Metrics implements Middleware, RejectionListener, TraitsProvider {

  private static final String NO_ROUTE = "NOT_FOUND";
  private static final Set<String> METHODS = Set.copyOf(KnownMethods.ALL);

  private final MeterRegistry registry;
  private final Map<Series, Timer> timers = new ConcurrentHashMap<>();
  private final Map<Integer, Counter> rejected = new ConcurrentHashMap<>();
  private final AtomicInteger active = new AtomicInteger();

  private record Series(String method, String route, int status) {}

  private Metrics(MeterRegistry registry) {
    this.registry = registry;
    gauge("http.server.active", active::get);
    BodyMemory memory = BodyMemory.ofProcess();
    gauge("percolate.body.held", memory::held);
    gauge("percolate.body.budget", memory::budget);
    gauge("percolate.body.waiting", memory::waiting);
  }

  /**
   * Creates middleware that records metrics in a registry.
   *
   * @param registry the registry
   */
  public static Metrics of(MeterRegistry registry) {
    return new Metrics(registry);
  }

  /**
   * Returns a handler that sends metrics as text, for Prometheus.
   *
   * @param text returns the text: {@code prometheusRegistry::scrape}
   */
  public static Handler text(Supplier<String> text) {
    return (req, res) ->
        res.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            .set("Cache-Control", "no-store")
            .end(text.get());
  }

  /**
   * Adds the gauge {@code percolate.connections}, and the counter {@code percolate.errors} by kind,
   * such as failed TLS handshakes and errors after the response.
   *
   * @param counters the counters: {@code app.counters()}
   */
  public Metrics counters(AppCounters counters) {
    gauge("percolate.connections", counters::connections);
    error("second-answer", counters::duplicateResponses);
    error("second-next", counters::duplicateNextCalls);
    error("late", counters::lateErrors);
    error("unanswered", counters::responseTimeouts);
    error("handshake", counters::failedHandshakes);
    return this;
  }

  /**
   * Adds a gauge for a value of the application, such as the number of lost log lines.
   *
   * @param name the name of the gauge
   * @param value returns the value; must be thread-safe
   */
  public Metrics gauge(String name, LongSupplier value) {
    Gauge unused =
        Gauge.builder(name, value, LongSupplier::getAsLong)
            .strongReference(true)
            .register(registry);
    return this;
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("metrics").once(registry).beforeRoutes();
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    long start = System.nanoTime();
    String method = req.method();
    active.incrementAndGet();
    res.onFinish(
        () -> {
          active.decrementAndGet();
          timer(method, req.routePath(), res.sentStatus())
              .record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
        });
    next.run();
  }

  @Override
  public void onRejected(Request req, Response res) {
    if (res.status() < 400) { // OPTIONS *, to which the server responds itself
      timer(req.method(), null, res.status()).record(0, TimeUnit.NANOSECONDS);
      return;
    }
    rejected
        .computeIfAbsent(
            res.status(),
            status ->
                Counter.builder("http.server.refused")
                    .tag("status", Integer.toString(status))
                    .register(registry))
        .increment();
  }

  private Timer timer(String method, @Nullable String route, int status) {
    String known = METHODS.contains(method) ? method : "OTHER";
    Series series = new Series(known, route == null ? NO_ROUTE : route, status);
    Timer timer = timers.get(series);
    return timer == null ? timers.computeIfAbsent(series, this::newTimer) : timer;
  }

  private Timer newTimer(Series series) {
    return Timer.builder("http.server.requests")
        .tag("method", series.method)
        .tag("route", series.route)
        .tag("status", series.status == 0 ? "none" : Integer.toString(series.status))
        .tag("outcome", outcome(series.status))
        .register(registry);
  }

  private static String outcome(int status) {
    return switch (status / 100) {
      case 0 -> "ABORTED";
      case 1 -> "INFORMATIONAL";
      case 2 -> "SUCCESS";
      case 3 -> "REDIRECTION";
      case 4 -> "CLIENT_ERROR";
      case 5 -> "SERVER_ERROR";
      default -> "UNKNOWN";
    };
  }

  /** Adds a counter. The meter refers to its object weakly, but to its function strongly. */
  private void error(String kind, LongSupplier count) {
    FunctionCounter unused =
        FunctionCounter.builder("percolate.errors", count, same -> (double) count.getAsLong())
            .tag("kind", kind)
            .register(registry);
  }
}
