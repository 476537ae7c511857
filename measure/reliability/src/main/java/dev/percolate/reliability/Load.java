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
 * The load on one server, or on several with the same handlers.
 *
 * @param servers the address of each
 * @param seconds the duration
 * @param connections the number of clients, each with one connection at a time
 * @param random the source of their requests
 */
record Load(
    List<InetSocketAddress> servers, long seconds, int connections, SplittableRandom random) {

  /** The additional time in which clients must end. */
  private static final int GRACE_SECONDS = 120;

  /** Creates the clients of a load. */
  @FunctionalInterface
  interface ClientFactory {

    /**
     * Creates one client.
     *
     * @param random the source of its requests
     * @param end the end of its time, by {@link System#nanoTime}
     * @param writers run writes while it reads
     */
    LoadClient client(SplittableRandom random, long end, Executor writers);
  }

  /**
   * Parses the load of a program's first four arguments: URI, or several with commas between them,
   * seconds, connections, seed.
   */
  static Load of(String... args) {
    return new Load(
        Stream.of(args[0].split(",")).map(Load::address).toList(),
        Long.parseLong(args[1]),
        Integer.parseInt(args[2]),
        new SplittableRandom(Long.parseLong(args[3])));
  }

  /** Runs all clients for their time; returns true if all have ended. */
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
