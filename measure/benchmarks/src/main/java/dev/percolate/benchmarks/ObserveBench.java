package dev.percolate.benchmarks;

import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.observability.Metrics;
import dev.percolate.observability.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the cost of observing a request in production: with metrics in memory, with the
 * OpenTelemetry API without a backend, and with the inspector, which is disabled there.
 */
@State(Scope.Benchmark)
@Fork(value = 9, jvmArgsAppend = "-Dpercolate.env=production")
public class ObserveBench extends NanosecondBench {

  /** The middleware before the route. */
  @Param({"nothing", "metrics", "tracing", "inspector"})
  public String step;

  private App app;

  /** Creates the application. */
  @Setup
  public void make() {
    app = new App().set("etag", false);
    switch (step) {
      case "nothing" -> {}
      case "metrics" -> app.use(Metrics.of(new SimpleMeterRegistry()).counters(app.counters()));
      case "tracing" -> app.use(Tracing.of(OpenTelemetry.noop()));
      case "inspector" -> app.use(Inspector.inDevelopment());
      default -> throw new IllegalArgumentException("step " + step);
    }
    app.get("/users/:id", (req, res) -> res.type("text/plain").send("Hello, World!"));
  }

  /** Handles one request. */
  @Benchmark
  public long request() {
    DiscardingExchange exchange = new DiscardingExchange("/users/7");
    exchange.executor().execute(() -> app.serve(exchange));
    return exchange.written();
  }
}
