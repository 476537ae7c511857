package dev.percolate.benchmarks;

import dev.percolate.framework.RouteBench;
import dev.percolate.logger.LineBench;
import java.util.Locale;

/**
 * Measures the framework's own share, without engine and kernel, for {@code benchmarks/run goals}:
 * prints a line for each figure, its name, the median, and between what it is, separated by tabs.
 */
final class OwnShare {

  private static final String[] ASKED = {"first", "last", "none"};

  private OwnShare() {}

  public static void main(String[] args) throws Exception {
    Turns seven = Turns.of(walk(7)::plaintext, walk(0)::plaintext);
    print("no-op ns", seven, 1000 / 7.0);
    for (String asked : ASKED) {
      RouteBench few = routes(10, asked);
      RouteBench many = routes(10_000, asked);
      Turns routing = Turns.of(many::match, few::match);
      ratio("routes " + asked, routing);
      Turns alone = Turns.of(few::match, few::match);
      print(
          "route ns " + asked,
          1000 * alone.ours(0.5),
          1000 * alone.ours(Turns.LOW),
          1000 * alone.ours(Turns.HIGH));
    }
    LineBench lines = new LineBench();
    lines.format = "combined";
    lines.make();
    print("line µs", Turns.of(lines::queued, lines::bare), 1);
    // The sink's thread would keep the program alive.
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

  private static void ratio(String name, Turns turns) {
    print(name, turns.ratio(0.5), turns.ratio(Turns.LOW), turns.ratio(Turns.HIGH));
  }

  private static void print(String name, Turns turns, double factor) {
    print(
        name,
        turns.difference(0.5) * factor,
        turns.difference(Turns.LOW) * factor,
        turns.difference(Turns.HIGH) * factor);
  }

  private static void print(String name, double median, double low, double high) {
    System.out.printf(Locale.ROOT, "%s\t%.4f\t%.4f\t%.4f%n", name, median, low, high);
  }
}
