package dev.percolate.benchmarks;

import dev.percolate.framework.RouteBench;
import dev.percolate.logger.LineBench;
import java.util.Locale;

/**
 * Measures the framework without engine and kernel, for {@code measure/benchmarks/run goals}.
 * Prints the name and the median of each figure, separated by a tab.
 */
final class OwnShare {

  private static final String[] ASKED = {"first", "last", "none"};

  private OwnShare() {}

  public static void main(String[] args) throws Exception {
    print(
        "no-op ns",
        AlternatingRounds.of(walk(7)::plaintext, walk(0)::plaintext).difference() * 1000 / 7);
    for (String asked : ASKED) {
      RouteBench few = routes(10, asked);
      RouteBench many = routes(10_000, asked);
      print("routes " + asked, AlternatingRounds.of(many::match, few::match).ratio());
      print("route ns " + asked, 1000 * AlternatingRounds.of(few::match, few::match).ours());
    }
    LineBench lines = new LineBench();
    lines.format = "combined";
    lines.make();
    print("line µs", AlternatingRounds.of(lines::queued, lines::bare).difference());
    // Otherwise the thread of the sink would keep the process running.
    System.exit(0);
  }

  private static WalkBench walk(int noOps) {
    WalkBench walk = new WalkBench();
    walk.noOps = noOps;
    walk.make();
    return walk;
  }

  private static RouteBench routes(int count, String asked) {
    RouteBench bench = new RouteBench();
    bench.routes = count;
    bench.asked = asked;
    bench.make();
    return bench;
  }

  private static void print(String name, double median) {
    System.out.printf(Locale.ROOT, "%s\t%.4f%n", name, median);
  }
}
