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
 * What it costs a request in production to be seen: by metrics that are kept in memory, by the API
 * of OpenTelemetry without a backend, by an inspector, which is not there.
 */
@State(Scope.Benchmark)
@Fork(value = 9, jvmArgsAppend = "-Dpercolate.env=production")
public class ObserveBench extends NanosecondBench {

  /** What stands before the route. */
  @Param({"nothing", "metrics", "tracing", "inspector"})
  public String step;

  private App app;

  /** Makes the application. */
  @Setup
  public void make() {
    app = new App().set("etag", false);
    switch (step) {
      case "nothing" -> {}
      case "metrics" -> app.use(Metrics.of(new SimpleMeterRegistry()).errors(app.faults()));
      case "tracing" -> app.use(Tracing.of(OpenTelemetry.noop()));
      case "inspector" -> app.use(Inspector.inDevelopment());
      default -> throw new IllegalArgumentException("step " + step);
    }
    app.get("/users/:id", (req, res) -> res.type("text/plain").send("Hello, World!"));
  }

  /** Answers one request. */
  @Benchmark
  public long request() {
    DiscardingExchange exchange = new DiscardingExchange("/users/7");
    exchange.turn().execute(() -> app.serve(exchange));
    return exchange.written();
  }
}
