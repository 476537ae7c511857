package dev.percolate.reliability;

import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests for all kinds of handlers to a {@link HandlersServer} at once, over many
 * connections, well and badly behaved, and checks each response. {@code reliability/mixed-handlers}
 * starts it.
 *
 * <p>Arguments: the server's URI, or several with commas between them, which are stopped and
 * started again meanwhile; the time in seconds; the number of connections; the seed, with which
 * each connection repeats its requests; and kinds to leave out. Prints lines of tab-separated
 * columns:
 *
 * <pre>
 *   kind         its name, right responses, those of them after a timeout, wrong and missing ones
 *   wrong, lost  a fault; the first ten
 *   unanswered   the id of a request without a response, because a server was stopped
 *   live         the kind of a conversation, its id, how it ended, its close code, messages sent
 *                and received, bytes sent and received
 *   topic        messages published, readers, messages that these have read, and their faults
 *   unopened     the number of requests for conversations that were given up
 *   connections  opened, lost, closed because of a late body; and the number of requests given up
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
