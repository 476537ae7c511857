package dev.percolate.redis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A master with two replicas and three sentinels, for one test class. */
final class RedisReplicas implements AutoCloseable {

  private static final String MASTER = "main";

  final List<RedisServer> servers = new ArrayList<>();
  final List<RedisServer> sentinels = new ArrayList<>();

  /**
   * Starts all servers and sentinels.
   *
   * @param options the options of each server
   */
  static RedisReplicas start(String... options) throws Exception {
    RedisReplicas all = new RedisReplicas();
    RedisServer master = RedisServer.start(options);
    all.servers.add(master);
    for (int i = 0; i < 2; i++) {
      RedisServer replica = RedisServer.start(options);
      all.servers.add(replica);
      replica.say("REPLICAOF", "127.0.0.1", "" + master.port());
    }
    for (int i = 0; i < 3; i++) {
      all.sentinels.add(RedisServer.sentinelOf(master));
    }
    all.awaitWhole();
    return all;
  }

  String url() {
    return sentinels.stream()
        .map(one -> "127.0.0.1:" + one.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "#" + MASTER));
  }

  /** Returns the master that one sentinel names. */
  RedisServer master() throws IOException {
    String[] place =
        sentinels.get(0).say("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER).split("\n", -1);
    return servers.stream()
        .filter(one -> place[1].equals("" + one.port()))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until all sentinels name another server as the master. */
  void awaitSwitch(RedisServer from) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    for (RedisServer sentinel : sentinels) {
      while (sentinel
          .say("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)
          .contains("" + from.port())) {
        if (System.nanoTime() > end) {
          throw new IOException("there is no other master");
        }
        Thread.sleep(50);
      }
    }
  }

  /** Waits until the master has its replicas, and each sentinel knows all others. */
  void awaitWhole() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!isWhole()) {
      if (System.nanoTime() > end) {
        throw new IOException(master().say("INFO", "replication"));
      }
      Thread.sleep(50);
    }
  }

  private boolean isWhole() throws IOException {
    String said = master().say("INFO", "replication");
    boolean whole = said.lines().filter(line -> line.contains("state=online")).count() == 2;
    for (RedisServer sentinel : sentinels) {
      String told = sentinel.say("SENTINEL", "MASTER", MASTER).replace("\n", " ");
      whole &= told.contains("num-slaves 2") && told.contains("num-other-sentinels 2");
    }
    return whole;
  }

  @Override
  public void close() throws IOException {
    for (RedisServer one : sentinels) {
      one.close();
    }
    for (RedisServer one : servers) {
      one.close();
    }
  }
}
