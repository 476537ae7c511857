package dev.percolate.reliability;

import dev.percolate.benchmarks.PercolateServer;
import dev.percolate.reliability.Question.Kind;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Asks a {@link PercolateServer} for everything at once, from many connections, and checks that
 * each answer is the right one, byte by byte. {@code reliability/mixed-load} starts it.
 *
 * <p>Arguments: the server's URI, for how many seconds, by how many connections, the seed (each
 * connection asks the same again with the same seed), and what is not asked for. Prints lines of
 * columns, parted by tabs:
 *
 * <pre>
 *   kind         its name, right, wrong and missing answers, p50, p99 in milliseconds
 *   wrong, lost  what was wrong; the first five
 *   connections  opened, lost, closed for a body that came late; and how many requests were given up
 * </pre>
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

  /** Asks for some time; tells whether the clients have come to their end. */
  static boolean run(Load load, Set<Kind> kinds, Tally tally) throws InterruptedException {
    return load.run(
        (random, end, writers) ->
            new MixedClient(load.servers(), random, end, writers, kinds, tally));
  }
}
