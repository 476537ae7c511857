package dev.percolate.reliability;

import java.util.ArrayList;
import java.util.List;

/**
 * Asks a {@link HandlersServer} for all kinds of handlers at once, from many connections, well and
 * badly behaved, and checks each answer. {@code reliability/mixed-handlers} starts it.
 *
 * <p>Arguments: the server's URI, or several with commas between them, which are stopped and
 * started again meanwhile, for how many seconds, by how many connections, the seed (each connection
 * asks the same again with the same seed), and kinds that are left out. Prints lines of columns,
 * parted by tabs:
 *
 * <pre>
 *   kind         its name, right answers, those of them whose time was over, wrong and missing ones
 *   wrong, lost  what was wrong; the first ten
 *   unanswered   the id of a request without an answer, since a server was stopped
 *   live         the kind of a conversation, its id, how it has ended, by which code, messages sent
 *                and received, bytes sent and received
 *   topic        messages published, readers, messages that these have read, and faults in that
 *   unopened     how many requests for conversations were given up
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
                new HandlersClient(load.servers(), random, end, writers, kinds, tally));
    tally.print();
    System.exit(ended ? 0 : 1);
  }
}
