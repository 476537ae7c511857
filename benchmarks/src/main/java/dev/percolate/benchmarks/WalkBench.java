package dev.percolate.benchmarks;

import dev.percolate.core.Exchange;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Turn;
import dev.percolate.framework.App;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The framework's own share of a plaintext request, without engine and kernel. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class WalkBench {

  /** How many middlewares that do nothing stand before the route. */
  @Param({"0", "1", "7", "50"})
  public int noOps;

  private App app;

  /** Makes the application. */
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

  /** Answers one request. */
  @Benchmark
  public long plaintext() {
    Played exchange = new Played();
    exchange.turn().execute(() -> app.serve(exchange));
    return exchange.written;
  }

  /** An exchange that takes the answer and forgets it. */
  private static final class Played implements Exchange {

    private final Turn turn = new Turn(Runnable::run, true);
    private long written;

    @Override
    public String method() {
      return "GET";
    }

    @Override
    public String target() {
      return "/plaintext";
    }

    @Override
    public String httpVersion() {
      return "1.1";
    }

    @Override
    public Headers headers() {
      return new Headers().addReceived("Host", "localhost");
    }

    @Override
    public String remoteAddress() {
      return "127.0.0.1";
    }

    @Override
    public boolean secure() {
      return false;
    }

    @Override
    public Turn turn() {
      return turn;
    }

    @Override
    public boolean mayBlock() {
      return true;
    }

    @Override
    public boolean hasBody() {
      return false;
    }

    @Override
    public void read(OnRead callback) {
      callback.read(null, null);
    }

    @Override
    public void start(int status, Headers headers) {
      written += status + headers.size();
    }

    @Override
    public void write(ByteBuffer bytes, OnWritten callback) {
      written += bytes.remaining();
      callback.written(null);
    }

    @Override
    public void end(ByteBuffer last) {
      written += last.remaining();
    }

    @Override
    public void sendFile(FileChannel file, long offset, long length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void abort() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void onEnd(OnEnd callback) {
      callback.ended(null);
    }
  }
}
