package dev.percolate.reliability;

import com.sun.management.ThreadMXBean;
import dev.percolate.benchmarks.BodyExchange;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Measures the cost of bodies that are made to be expensive, in CPU time and allocated bytes of the
 * parsing thread: at 50 and at 100 KiB, in pieces as they arrive from a network. {@code
 * reliability/parse-cost} starts it.
 */
final class ParseCost {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SIZE = 100 << 10;
  private static final int PIECE = 16 << 10;
  private static final int WARM_UPS = 60;
  private static final int ROUNDS = 40;

  /** Linear cases may seem superlinear while other processes use the caches; others stay so. */
  private static final int TRIES = 4;

  private static final double MOST_MS = 50;
  private static final double MOST_MIB = 10;
  private static final double MOST_FACTOR = 2.5;

  /** For shorter times, the cost of a request without a body hides the growth. */
  private static final double MEASURABLE_MS = 0.2;

  private ParseCost() {}

  /**
   * The cost of one body.
   *
   * @param status the status code of the response
   * @param worst the longest time of the warm rounds
   * @param best the shortest time, which other processes disturb least
   */
  private record Cost(int status, double worst, double best, double mebibytes) {}

  /** Measures and prints a line for each kind; ends with status 1 if one is too expensive. */
  public static void main(String[] args) {
    boolean passes = true;
    System.out.printf("%-60s %9s %9s %7s%n", "body", "worst, ms", "MiB", "factor");
    for (HostileBodies.Case hostile : HostileBodies.all()) {
      passes &= passes(hostile);
    }
    System.exit(passes ? 0 : 1);
  }

  private static boolean passes(HostileBodies.Case hostile) {
    byte[] half = hostile.body().apply(SIZE / 2);
    byte[] whole = hostile.body().apply(SIZE);
    if (whole.length > SIZE) {
      throw new IllegalStateException(hostile.name() + " has " + whole.length + " bytes");
    }
    Service service = service(hostile);
    Cost small = cost(service, hostile, half);
    Cost large = cost(service, hostile, whole);
    if (small.status != large.status) {
      String unlike = ": status " + small.status + ", at twice the size " + large.status;
      throw new IllegalStateException(hostile.name() + unlike);
    }
    boolean grows = whole.length > half.length && large.best > MEASURABLE_MS;
    double factor = grows ? large.best / small.best : 0;
    for (int i = 1; i < TRIES && factor >= MOST_FACTOR; i++) {
      small = cost(service, hostile, half);
      large = cost(service, hostile, whole);
      factor = Math.min(factor, large.best / small.best);
    }
    boolean passes = large.worst <= MOST_MS && large.mebibytes <= MOST_MIB && factor < MOST_FACTOR;
    System.out.printf(
        Locale.ROOT,
        "%-60s %9.2f %9.2f %7s %s%n",
        hostile.name(),
        large.worst,
        large.mebibytes,
        grows ? String.format(Locale.ROOT, "%.2f", factor) : "-",
        passes ? "PASS" : "FAIL");
    return passes;
  }

  private static Service service(HostileBodies.Case hostile) {
    Handler answer = (req, res) -> res.end();
    ErrorHandler errors =
        (error, req, res, next) ->
            res.status(error instanceof HttpError rejected ? rejected.status() : 500).end();
    Settings settings = new Settings().set("env", "test").set("etag", false);
    return Chain.service(settings, hostile.parser(), answer, errors);
  }

  private static Cost cost(Service service, HostileBodies.Case hostile, byte[] body) {
    double worst = 0;
    double best = Double.MAX_VALUE;
    long bytes = 0;
    int status = 0;
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      BodyExchange posted = BodyExchange.inPieces(hostile.type(), hostile.encoding(), body, PIECE);
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long begin = THREADS.getCurrentThreadCpuTime();
      service.serve(posted);
      double took = (THREADS.getCurrentThreadCpuTime() - begin) / 1e6;
      bytes = Math.max(bytes, THREADS.getCurrentThreadAllocatedBytes() - allocated);
      status = posted.status();
      if (status == 0 || status >= 500) {
        throw new IllegalStateException(hostile.name() + ": status " + status);
      }
      if (i >= 0) {
        worst = Math.max(worst, took);
        best = Math.min(best, took);
      }
    }
    return new Cost(status, worst, best, bytes / 1048576.0);
  }
}
