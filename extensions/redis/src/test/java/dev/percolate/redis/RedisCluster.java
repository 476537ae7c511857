package dev.percolate.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A cluster for one test class: three primaries, each with a replica. */
final class RedisCluster implements AutoCloseable {

  private static final int NODES = 6;

  /** The difference between the port for other nodes and the port for clients. */
  private static final int BUS = 10_000;

  final List<RedisServer> nodes = new ArrayList<>();

  static RedisCluster start() throws Exception {
    RedisCluster cluster = new RedisCluster();
    List<String> command = new ArrayList<>(List.of("redis-cli", "--cluster", "create"));
    for (int i = 0; i < NODES; i++) {
      RedisServer node =
          RedisServer.startAt(
              port(),
              "--cluster-enabled",
              "yes",
              "--cluster-node-timeout",
              "1500",
              "--repl-diskless-sync-delay",
              "0");
      cluster.nodes.add(node);
      command.add("127.0.0.1:" + node.port());
    }
    command.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
    Process created = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(created.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (created.waitFor() != 0) {
      throw new IOException(said);
    }
    cluster.awaitWhole();
    return cluster;
  }

  String url() {
    return nodes.stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /**
   * Waits until each primary has a replica that holds all of its data. A replica that was never in
   * sync is not promoted.
   */
  void awaitWhole() throws Exception {
    await(this::isWhole, "each primary has a replica in sync");
  }

  /** Waits until all other nodes know a new primary for the slot of a key. */
  void awaitReplaced(RedisServer primary, String key) throws Exception {
    await(
        () -> {
          for (RedisServer node : nodes) {
            if (node != primary && primaryOf(key, node) == primary) {
              return false;
            }
          }
          return true;
        },
        "another node is the primary of " + key);
  }

  /** Returns the primary that has the slot of a key. */
  RedisServer primaryOf(String key) throws IOException {
    return primaryOf(key, nodes.get(0));
  }

  private boolean isWhole() throws IOException {
    int replicas = 0;
    for (RedisServer node : nodes) {
      String known = node.say("CLUSTER", "NODES");
      String replication = node.say("INFO", "replication");
      boolean replica = replication.contains("role:slave");
      if (known.contains("fail")
          || known.lines().filter(line -> line.contains("slave")).count() != NODES / 2
          || !node.say("CLUSTER", "INFO").contains("cluster_state:ok")
          || !replication.contains(replica ? "master_link_status:up" : "state=online")) {
        return false;
      }
      replicas += replica ? 1 : 0;
    }
    return replicas == NODES / 2;
  }

  /** Returns the primary of the slot of a key, as one node knows it. */
  private RedisServer primaryOf(String key, RedisServer asked) throws IOException {
    int slot = Integer.parseInt(asked.say("CLUSTER", "KEYSLOT", key));
    for (String line : asked.say("CLUSTER", "NODES").lines().toList()) {
      String[] words = line.split(" ", -1);
      for (int i = 8; i < words.length; i++) {
        String[] range = words[i].split("-", -1);
        int last = Integer.parseInt(range[range.length - 1]);
        if (Integer.parseInt(range[0]) <= slot && slot <= last) {
          String port = words[1].substring(words[1].indexOf(':') + 1, words[1].indexOf('@'));
          return nodes.stream().filter(n -> port.equals("" + n.port())).findFirst().orElseThrow();
        }
      }
    }
    throw new IOException("no node has slot " + slot);
  }

  private void await(Callable<Boolean> condition, String expected) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new IOException("timeout after 60 s: " + expected);
      }
      Thread.sleep(50);
    }
  }

  private static int port() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 22_500);
      InetAddress here = InetAddress.getLoopbackAddress();
      try (ServerSocket one = new ServerSocket(port, 1, here);
          ServerSocket bus = new ServerSocket(port + BUS, 1, here)) {
        return Math.min(one.getLocalPort(), bus.getLocalPort() - BUS);
      } catch (IOException e) {
        // One of the ports is taken.
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (RedisServer node : nodes) {
      node.close();
    }
  }
}
