package dev.percolate.reliability;

import java.util.ArrayList;
import java.util.List;

/**
 * Asks a {@link HandlersServer} for all kinds of handlers at once, from many connections, well and
 * badly behaved, and checks each answer. {@code reliability/mixed-handlers} starts it.
 *
 * <p>Arguments: the server's URI, for how many seconds, by how many connections, the seed (each
 * connection asks the same again with the same seed), and kinds that are left out. Prints lines of
 * columns, parted by tabs:
 *
 * <pre>
 *   kind         its name, right answers, those of them whose time was over, wrong and missing ones
 *   wrong, lost  what was wrong; the first ten
 *   connections  opened, lost, closed for a body that came late; and how many requests were given up
 * </pre>
 */
final class HandlersLoad {

  private HandlersLoad() {}

  public static void main(String[] args) throws InterruptedException {
    Load load = Load.of(args);
    List<HandlerKind> kinds = new ArrayList<>(List.of(HandlerKind.values()));
    for (int i = 4; i < args.length; i++) {
      kinds.remove(HandlerKind.of(args[i]));
    }
    HandlersTally tally = new HandlersTally();
    boolean ended =
        load.run(
            (random, end, writers) ->
                new HandlersClient(load.server(), random, end, writers, kinds, tally));
    tally.print();
    System.exit(ended ? 0 : 1);
  }
}
