package dev.percolate.benchmarks;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

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
    URI uri = URI.create(args[0]);
    InetSocketAddress server = new InetSocketAddress(uri.getHost(), uri.getPort());
    long seconds = Long.parseLong(args[1]);
    int connections = Integer.parseInt(args[2]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[3]));
    List<HandlerKind> kinds = new ArrayList<>(List.of(HandlerKind.values()));
    for (int i = 4; i < args.length; i++) {
      kinds.remove(HandlerKind.of(args[i]));
    }
    HandlersTally tally = new HandlersTally();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    ExecutorService clients = Executors.newFixedThreadPool(connections);
    ExecutorService writers = Executors.newCachedThreadPool();
    for (int i = 0; i < connections; i++) {
      clients.execute(new HandlersClient(server, end, random.split(), kinds, writers, tally));
    }
    clients.shutdown();
    boolean ended = clients.awaitTermination(seconds + 120, TimeUnit.SECONDS);
    tally.print();
    System.exit(ended ? 0 : 1);
  }
}
