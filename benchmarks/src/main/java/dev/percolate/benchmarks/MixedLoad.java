package dev.percolate.benchmarks;

import dev.percolate.benchmarks.Question.Kind;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

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
    URI uri = URI.create(args[0]);
    InetSocketAddress server = new InetSocketAddress(uri.getHost(), uri.getPort());
    long seconds = Long.parseLong(args[1]);
    int connections = Integer.parseInt(args[2]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[3]));
    Set<Kind> kinds = EnumSet.allOf(Kind.class);
    for (int i = 4; i < args.length; i++) {
      kinds.remove(Kind.valueOf(args[i].toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    Tally tally = new Tally();
    boolean ended = ask(server, seconds, connections, random, kinds, tally);
    tally.print();
    System.exit(ended ? 0 : 1);
  }

  /** Asks for some time; tells whether the clients have come to their end. */
  static boolean ask(
      InetSocketAddress server,
      long seconds,
      int connections,
      SplittableRandom random,
      Set<Kind> kinds,
      Tally tally)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    ExecutorService clients = Executors.newFixedThreadPool(connections);
    ExecutorService writers = Executors.newCachedThreadPool();
    for (int i = 0; i < connections; i++) {
      SplittableRandom own = random.split();
      Questions questions = new Questions(own, kinds);
      clients.execute(new MixedClient(server, end, own, questions, writers, tally));
    }
    clients.shutdown();
    boolean ended = clients.awaitTermination(seconds + 120, TimeUnit.SECONDS);
    writers.shutdown();
    return ended;
  }
}
