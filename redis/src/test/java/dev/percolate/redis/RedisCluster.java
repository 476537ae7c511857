package dev.percolate.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
          RedisServer.startAt(port(), "--cluster-enabled", "yes", "--cluster-node-timeout", "1500");
      cluster.nodes.add(node);
      command.add("127.0.0.1:" + node.port());
    }
    command.addAll(List.of("--cluster-replicas", "1", "--cluster-yes"));
    Process created = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(created.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (created.waitFor() != 0) {
      throw new IOException(said);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!cluster.isWhole() && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    return cluster;
  }

  String url() {
    return nodes.stream()
        .map(node -> "127.0.0.1:" + node.port())
        .collect(Collectors.joining(",", "redis-cluster://", ""));
  }

  /** Returns true if all nodes know three primaries, their replicas, and all slots. */
  private boolean isWhole() throws IOException {
    for (RedisServer node : nodes) {
      long replicas = node.say("CLUSTER", "NODES").lines().filter(l -> l.contains("slave")).count();
      if (replicas != NODES / 2 || !node.say("CLUSTER", "INFO").contains("cluster_state:ok")) {
        return false;
      }
    }
    return true;
  }

  /** Returns the primary that has the slot of a key. */
  RedisServer primaryOf(String key) throws IOException {
    int slot = Integer.parseInt(nodes.get(0).say("CLUSTER", "KEYSLOT", key));
    for (String line : nodes.get(0).say("CLUSTER", "NODES").lines().toList()) {
      String[] words = line.split(" ", -1);
      for (int i = 8; i < words.length; i++) {
        String[] range = words[i].split("-", -1);
        if (Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[1])) {
          String port = words[1].substring(words[1].indexOf(':') + 1, words[1].indexOf('@'));
          return nodes.stream().filter(n -> port.equals("" + n.port())).findFirst().orElseThrow();
        }
      }
    }
    throw new IOException("no node has slot " + slot);
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
