package dev.percolate.logger;

import dev.percolate.benchmarks.NanosecondBench;
import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the cost of a log line on the thread of the request: alone, in a request, queued. */
@State(Scope.Thread)
@Fork(2)
public class LineBench extends NanosecondBench {

  private static final int SAMPLES = 256;

  /** The format of the lines. */
  @Param({"combined"})
  public String format;

  private final Sample[] samples = Sample.all(SAMPLES);
  private final Tokens[] answered = new Tokens[SAMPLES];
  private RequestLogger logger;
  private Service bare;
  private Service logged;
  private Service queued;
  private int next;
  private long written;

  /** Handles each request once. */
  @Setup
  public void make() {
    Settings settings = new Settings();
    Handler hello = (req, res) -> res.send("Hello, World!");
    logger = RequestLogger.of(format).to((String line) -> written += line.length());
    bare = Chain.service(settings, hello);
    logged = Chain.service(settings, logger, hello);
    LogSink sink =
        LogSink.of(OutputStream.nullOutputStream()).enqueueTimeout(Duration.ofSeconds(10));
    queued = Chain.service(settings, logger.to(sink), hello);
    for (int i = 0; i < SAMPLES; i++) {
      int number = i;
      Handler remember =
          (req, res) -> {
            Tokens tokens = new Tokens(LogClock.SYSTEM, Map.of(), req, res);
            res.onHeaders(tokens::headersOut);
            answered[number] = tokens;
            res.send("Hello, World!");
          };
      Chain.service(settings, remember).serve(new SampleExchange(samples[i]));
    }
  }

  private int next() {
    return next++ & (SAMPLES - 1);
  }

  /** Creates the line of a finished request. */
  @Benchmark
  public Object line() {
    return logger.line(answered[next()]);
  }

  /** Handles a request without a logger. */
  @Benchmark
  public Object bare() {
    return visit(bare);
  }

  /** Handles a request, and discards its line. */
  @Benchmark
  public Object logged() {
    return visit(logged);
  }

  /** Handles a request whose line another thread writes to a null stream. */
  @Benchmark
  public Object queued() {
    return visit(queued);
  }

  private SampleExchange visit(Service service) {
    SampleExchange visit = new SampleExchange(samples[next()]);
    visit.executor().execute(() -> service.serve(visit));
    return visit;
  }
}
