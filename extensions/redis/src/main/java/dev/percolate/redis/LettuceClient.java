package dev.percolate.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens connections with Lettuce: to one server, to the master reported by sentinels, or to a
 * cluster.
 */
abstract class LettuceClient {

  static final StringCodec UTF_8 = StringCodec.UTF8;

  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration RECONNECT_DELAY = Duration.ofMillis(100);
  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final Duration UNACKNOWLEDGED = Duration.ofSeconds(10);
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final int MOST_QUEUED = 1000;
  private static final int THREADS = 2;

  private final AbstractRedisClient client;
  private final ClientResources resources;

  private LettuceClient(AbstractRedisClient client, ClientResources resources) {
    this.client = client;
    this.resources = resources;
  }

  /** Creates a client for an address; it opens no connection yet. */
  static LettuceClient of(RedisAddress address) {
    ClientResources resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .reconnectDelay(Delay.constant(RECONNECT_DELAY))
            .build();
    return address.cluster() ? new Cluster(address, resources) : new Single(address, resources);
  }

  /** Opens a connection for commands. */
  abstract CompletableFuture<? extends StatefulConnection<String, String>> commands();

  /** Opens a connection for channels. */
  abstract CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels();

  /** Opens a connection for the channels of a sentinel. */
  abstract CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels(
      RedisURI sentinel);

  /** Sets the sentinel to query first for the master. */
  abstract void askFirst(RedisURI sentinel);

  /** Refreshes the nodes of the cluster after a node did not respond, at most once a second. */
  abstract void lookAgain();

  /** Closes all connections and ends the threads, without waiting for them. */
  void close() {
    CompletableFuture<?> ignored =
        client
            .shutdownAsync(0, 0, TimeUnit.MILLISECONDS)
            .whenComplete((done, error) -> endThreads());
  }

  private void endThreads() {
    Object ignored = resources.shutdown(0, 0, TimeUnit.MILLISECONDS);
  }

  private static void options(ClientOptions.Builder options) {
    SocketOptions.Builder socket =
        SocketOptions.builder()
            .connectTimeout(CONNECT)
            .keepAlive(
                KeepAliveOptions.builder()
                    .enable()
                    .idle(IDLE)
                    .interval(Duration.ofSeconds(1))
                    .count(3)
                    .build());
    if (EpollProvider.isAvailable()) { // other transports do not support it
      socket.tcpUserTimeout(
          TcpUserTimeoutOptions.builder().enable().tcpUserTimeout(UNACKNOWLEDGED).build());
    }
    Object ignored =
        options
            .socketOptions(socket.build())
            .protocolVersion(ProtocolVersion.RESP2)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(MOST_QUEUED);
  }

  /** The client of one server, or of the master reported by sentinels. */
  private static final class Single extends LettuceClient {

    private final RedisClient client;
    private volatile RedisURI uri;

    Single(RedisAddress address, ClientResources resources) {
      this(RedisClient.create(resources), address, resources);
    }

    private Single(RedisClient client, RedisAddress address, ClientResources resources) {
      super(client, resources);
      ClientOptions.Builder options = ClientOptions.builder();
      options(options);
      client.setOptions(options.build());
      this.client = client;
      this.uri = address.nodes().get(0);
    }

    @Override
    CompletableFuture<? extends StatefulConnection<String, String>> commands() {
      return client.connectAsync(UTF_8, uri).toCompletableFuture();
    }

    @Override
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels() {
      return channels(uri);
    }

    @Override
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels(RedisURI sentinel) {
      return client.connectPubSubAsync(UTF_8, sentinel).toCompletableFuture();
    }

    @Override
    void askFirst(RedisURI sentinel) {
      RedisURI known = uri;
      List<RedisURI> sentinels = new ArrayList<>(known.getSentinels());
      sentinels.remove(sentinel);
      sentinels.add(0, sentinel);
      RedisURI changed =
          RedisURI.Builder.sentinel(
                  sentinel.getHost(), sentinel.getPort(), known.getSentinelMasterId())
              .withAuthentication(known)
              .withSsl(known)
              .withDatabase(known.getDatabase())
              .withTimeout(known.getTimeout())
              .build();
      changed.getSentinels().clear();
      changed.getSentinels().addAll(sentinels);
      uri = changed;
    }

    @Override
    void lookAgain() {
      // There is only one address.
    }
  }

  /** The client of a cluster, which loads the nodes before it opens a connection. */
  private static final class Cluster extends LettuceClient {

    private final RedisClusterClient client;
    private final AtomicLong due = new AtomicLong(System.nanoTime());

    Cluster(RedisAddress address, ClientResources resources) {
      this(RedisClusterClient.create(resources, address.nodes()), resources);
    }

    private Cluster(RedisClusterClient client, ClientResources resources) {
      super(client, resources);
      ClusterTopologyRefreshOptions refresh =
          ClusterTopologyRefreshOptions.builder()
              .enablePeriodicRefresh(REFRESH)
              .adaptiveRefreshTriggersTimeout(CONNECT)
              .build();
      ClusterClientOptions.Builder options = ClusterClientOptions.builder();
      options(options);
      // A command opens the connection to its node, and waits until it is open.
      Object ignored =
          options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.ACCEPT_COMMANDS);
      client.setOptions(options.topologyRefreshOptions(refresh).build());
      this.client = client;
    }

    @Override
    CompletableFuture<? extends StatefulConnection<String, String>> commands() {
      return client
          .refreshPartitionsAsync()
          .thenCompose(known -> client.connectAsync(UTF_8))
          .toCompletableFuture();
    }

    @Override
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels() {
      return client
          .refreshPartitionsAsync()
          .thenCompose(known -> client.connectPubSubAsync(UTF_8))
          .thenApply(open -> (StatefulRedisPubSubConnection<String, String>) open)
          .toCompletableFuture();
    }

    @Override
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels(RedisURI sentinel) {
      throw new IllegalStateException("a cluster has no sentinels");
    }

    @Override
    void askFirst(RedisURI sentinel) {
      throw new IllegalStateException("a cluster has no sentinels");
    }

    @Override
    void lookAgain() {
      long now = System.nanoTime();
      long then = due.get();
      if (now - then >= 0 && due.compareAndSet(then, now + CONNECT.toNanos())) {
        Object ignored = client.refreshPartitionsAsync();
      }
    }
  }
}
