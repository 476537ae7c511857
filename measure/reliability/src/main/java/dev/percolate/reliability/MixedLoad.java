package dev.percolate.reliability;

import dev.percolate.benchmarks.PercolateServer;
import dev.percolate.reliability.Question.Kind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Sends requests of all kinds to a {@link PercolateServer} at once, over many connections, and
 * checks each response byte by byte. {@code reliability/mixed-load} starts it.
 *
 * <p>Arguments: the server's URI, the time in seconds, the number of connections, the seed, with
 * which each connection repeats its requests, and kinds to leave out. Prints the lines of {@link
 * Tally}.
 */
final class MixedLoad {

  private MixedLoad() {}

  public static void main(String[] args) throws InterruptedException {
    Set<Kind> kinds = EnumSet.allOf(Kind.class);
    for (int i = 4; i < args.length; i++) {
      kinds.remove(Kind.valueOf(args[i].toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    Tally tally = new Tally();
    boolean ended = run(Load.of(args), kinds, tally);
    tally.print();
    System.exit(ended ? 0 : 1);
  }

  /** Runs the load; returns true if all clients have ended. */
  static boolean run(Load load, Set<Kind> kinds, Tally tally) throws InterruptedException {
    return load.run(
        (random, end, writers) ->
            new MixedClient(load.servers(), random, end, writers, kinds, tally));
  }
}
