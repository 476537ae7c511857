package dev.percolate.reliability;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How much a server is asked, or several that do the same.
 *
 * @param servers the address of each
 * @param seconds for how long
 * @param connections by how many clients at a time, each with one connection
 * @param random what they draw their requests from
 */
record Load(
    List<InetSocketAddress> servers, long seconds, int connections, SplittableRandom random) {

  /** How long clients may take beyond their time to come to their end. */
  private static final int GRACE_SECONDS = 120;

  /** Creates the clients of a load. */
  @FunctionalInterface
  interface ClientFactory {

    /**
     * Creates one client.
     *
     * @param random what it draws its requests from
     * @param end when its time is over, by {@link System#nanoTime}
     * @param writers on which it writes while it reads
     */
    LoadClient client(SplittableRandom random, long end, Executor writers);
  }

  /**
   * Reads a load of a program's first four arguments: URI, or several with commas between them,
   * seconds, connections, seed.
   */
  static Load of(String... args) {
    return new Load(
        Stream.of(args[0].split(",")).map(Load::address).toList(),
        Long.parseLong(args[1]),
        Integer.parseInt(args[2]),
        new SplittableRandom(Long.parseLong(args[3])));
  }

  /** Runs all clients for their time; tells whether they have come to their end. */
  boolean run(ClientFactory factory) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    ExecutorService clients = Executors.newFixedThreadPool(connections);
    ExecutorService writers = Executors.newCachedThreadPool();
    for (int i = 0; i < connections; i++) {
      clients.execute(factory.client(random.split(), end, writers));
    }
    clients.shutdown();
    boolean ended = clients.awaitTermination(seconds + GRACE_SECONDS, TimeUnit.SECONDS);
    writers.shutdown();
    return ended;
  }

  private static InetSocketAddress address(String text) {
    URI uri = URI.create(text);
    return new InetSocketAddress(uri.getHost(), uri.getPort());
  }
}
