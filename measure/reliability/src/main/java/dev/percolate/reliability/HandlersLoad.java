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
 * each connection repeats its requests; and kinds to leave out. Prints the lines of {@link Tally},
 * and:
 *
 * <pre>
 *   live         the kind of a conversation, its id, how it ended, its close code, messages sent
 *                and received, bytes sent and received
 *   topic        messages published, readers, messages that these have read, and their faults
 *   unopened     the number of requests for conversations that were given up
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
    Tally tally = new Tally();
    LiveTally live = new LiveTally(tally);
    boolean ended =
        load.run(
            (random, end, writers) ->
                new HandlersClient(load.servers(), random, end, writers, kinds, tally, live));
    live.print();
    tally.print();
    System.exit(ended ? 0 : 1);
  }
}
