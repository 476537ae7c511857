package dev.percolate.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The address of a Redis server or cluster.
 *
 * @param nodes the server, or the nodes of a cluster from which the others are discovered
 * @param cluster true for a cluster
 */
record RedisAddress(List<RedisURI> nodes, boolean cluster) {

  /** Scheme, credentials, hosts, and the rest. */
  private static final Pattern URL =
      Pattern.compile("(rediss?)(-sentinel|-cluster|)://([^/?#]*@)?([^/?#@]+)([/?#].*)?");

  /** The maximum time until a new connection is ready. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(2);

  private static final int MAX_PORT = 65_535;

  private static final Pattern HOST = Pattern.compile("(\\[[\\da-fA-F:.]+]|[\\w.-]+)(:\\d{1,5})?");

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if the URL is invalid; the message does not contain it, since
   *     it may contain a password
   */
  static RedisAddress of(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw wrong();
    }
    String[] hosts = parts.group(4).split(",", -1);
    for (String host : hosts) {
      if (!HOST.matcher(host).matches()) {
        throw wrong();
      }
    }
    boolean cluster = parts.group(2).equals("-cluster");
    if (hosts.length > 1 && parts.group(2).isEmpty()) {
      throw wrong();
    }
    List<RedisURI> nodes = new ArrayList<>();
    try {
      if (cluster) {
        String credentials = parts.group(3) == null ? "" : parts.group(3);
        String rest = parts.group(5) == null ? "" : parts.group(5);
        for (String host : hosts) {
          nodes.add(RedisURI.create(parts.group(1) + "://" + credentials + host + rest));
        }
      } else {
        nodes.add(RedisURI.create(url));
      }
      nodes.forEach(RedisAddress::splitPort);
      nodes.forEach(node -> node.setTimeout(HANDSHAKE));
    } catch (RuntimeException e) {
      throw wrong(); // without the cause, whose message contains the URL
    }
    return new RedisAddress(List.copyOf(nodes), cluster);
  }

  /**
   * Sets host and port if the host contains both: {@code java.net.URI} does not split names with an
   * underscore, such as {@code shop_redis:6380}, nor an authority with two {@code @}.
   */
  private static void splitPort(RedisURI node) {
    String host = String.valueOf(node.getHost()); // null for sentinels
    int colon = host.lastIndexOf(':');
    if (colon > host.lastIndexOf(']')) {
      int port = Integer.parseInt(host.substring(colon + 1));
      if (port > MAX_PORT) {
        throw wrong();
      }
      node.setHost(host.substring(0, colon));
      node.setPort(port);
    }
  }

  /** Returns the hosts and ports, and the name of the master that sentinels monitor. */
  @Override
  public String toString() {
    RedisURI first = nodes.get(0);
    if (first.getSentinels().isEmpty()) {
      return places(nodes);
    }
    return places(first.getSentinels()) + "#" + first.getSentinelMasterId();
  }

  private static String places(List<RedisURI> nodes) {
    return nodes.stream()
        .map(node -> node.getHost() + ":" + node.getPort())
        .collect(Collectors.joining(","));
  }

  private static IllegalArgumentException wrong() {
    return new IllegalArgumentException(
        "url must have a host and the scheme redis, rediss, redis-sentinel, redis-cluster or"
            + " rediss-cluster");
  }
}
