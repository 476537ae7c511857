package dev.percolate.benchmarks;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the framework's share of a plaintext request, without engine and kernel. */
@State(Scope.Benchmark)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class WalkBench extends NanosecondBench {

  /** The number of middlewares before the route that do nothing. */
  @Param({"0", "1", "7", "50"})
  public int noOps;

  private App app;

  /** Creates the application. */
  @Setup
  public void make() {
    app = new App().set("etag", false);
    for (int i = 0; i < noOps; i++) {
      Middleware nothing = (req, res, next) -> next.run();
      app.use(nothing);
    }
    Handler hello = (req, res) -> res.type("text/plain").send("Hello, World!");
    app.get("/plaintext", hello);
  }

  /** Handles one request. */
  @Benchmark
  public long plaintext() {
    DiscardingExchange exchange = new DiscardingExchange("/plaintext");
    exchange.executor().execute(() -> app.serve(exchange));
    return exchange.written();
  }
}
