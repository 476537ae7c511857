package dev.percolate.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands by Lettuce: one connection for commands, and one for channels if there are any.
 */
final class LettuceCommands implements RedisCommands {

  private static final StringCodec UTF_8 = StringCodec.UTF8;
  private static final Duration CONNECT = Duration.ofSeconds(1);
  private static final Duration AGAIN = Duration.ofMillis(100);
  private static final int MOST_QUEUED = 1000;
  private static final int THREADS = 2;

  private final RedisAddress address;
  private final Map<String, List<Listener>> channels = new ConcurrentHashMap<>();
  private @Nullable Link link;
  private boolean closed;

  /** A client with its connections, made when they are asked for; one that fails is made again. */
  private static final class Link {

    private final Supplier<CompletableFuture<? extends StatefulConnection<String, String>>> opening;
    private final Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>>
        listening;
    private final Runnable ending;
    private @Nullable CompletableFuture<? extends StatefulConnection<String, String>> connection;
    private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels;

    Link(RedisClient client, RedisAddress address, ClientResources resources) {
      this.opening = () -> client.connectAsync(UTF_8, address.nodes().get(0)).toCompletableFuture();
      this.listening =
          () -> client.connectPubSubAsync(UTF_8, address.nodes().get(0)).toCompletableFuture();
      this.ending = () -> end(client.shutdownAsync(0, 0, TimeUnit.MILLISECONDS), resources);
    }

    Link(RedisClusterClient client, ClientResources resources) {
      this.opening = () -> client.connectAsync(UTF_8);
      this.listening = () -> client.connectPubSubAsync(UTF_8).thenApply(connection -> connection);
      this.ending = () -> end(client.shutdownAsync(0, 0, TimeUnit.MILLISECONDS), resources);
    }

    synchronized CompletableFuture<? extends StatefulConnection<String, String>> connection() {
      CompletableFuture<? extends StatefulConnection<String, String>> known = connection;
      if (known == null || known.isCompletedExceptionally()) {
        known = opening.get();
        connection = known;
      }
      return known;
    }

    synchronized CompletableFuture<StatefulRedisPubSubConnection<String, String>> channels(
        RedisPubSubAdapter<String, String> listener) {
      CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = channels;
      if (known == null || known.isCompletedExceptionally()) {
        known =
            listening
                .get()
                .thenApply(
                    connection -> {
                      connection.addListener(listener);
                      return connection;
                    });
        channels = known;
      }
      return known;
    }

    /** Drops the connection for commands; that for channels is made again by Lettuce. */
    synchronized void drop() {
      CompletableFuture<? extends StatefulConnection<String, String>> known = connection;
      connection = null;
      if (known != null) {
        CompletionStage<?> ignored = known.thenCompose(StatefulConnection::closeAsync);
      }
    }

    void close() {
      ending.run();
    }

    private static void end(CompletableFuture<Void> shutdown, ClientResources resources) {
      CompletableFuture<?> ignored = shutdown.whenComplete((done, error) -> end(resources));
    }

    private static void end(ClientResources resources) {
      Object ignored = resources.shutdown(0, 0, TimeUnit.MILLISECONDS);
    }
  }

  LettuceCommands(RedisAddress address) {
    this.address = address;
  }

  @Override
  public CompletionStage<@Nullable Object> send(
      List<String> before, String key, List<String> after) {
    CommandArgs<String, String> arguments = new CommandArgs<>(UTF_8);
    before.subList(1, before.size()).forEach(arguments::add);
    arguments.addKey(key);
    after.forEach(arguments::add);
    CommandType name = CommandType.valueOf(before.get(0));
    CompletableFuture<? extends StatefulConnection<String, String>> connection =
        link().connection();
    return connection
        .thenCompose(open -> commands(open).dispatch(name, new ReplyOutput(UTF_8), arguments))
        .handle(LettuceCommands::answer);
  }

  @Override
  public CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
    // Commands of one channel go out in the order in which listeners come and go.
    synchronized (channels) {
      channels.computeIfAbsent(channel, name -> new CopyOnWriteArrayList<>()).add(listener);
      return link()
          .channels(new Heard())
          .thenCompose(open -> open.async().subscribe(channel).thenApply(done -> open))
          .handle(
              (open, error) -> {
                if (error != null) {
                  leave(channel, listener, null);
                  throw new CompletionException(error);
                }
                return () -> leave(channel, listener, open);
              });
    }
  }

  @Override
  public void reconnect() {
    link().drop();
  }

  @Override
  public synchronized void close() {
    closed = true;
    Link known = link;
    link = null;
    if (known != null) {
      known.close();
    }
  }

  private void leave(
      String channel,
      Listener listener,
      @Nullable StatefulRedisPubSubConnection<String, String> open) {
    synchronized (channels) {
      List<Listener> all = channels.get(channel);
      if (all == null || !all.remove(listener) || !all.isEmpty()) {
        return;
      }
      channels.remove(channel);
      if (open != null) {
        CompletionStage<?> ignored = open.async().unsubscribe(channel);
      }
    }
  }

  private static @Nullable Object answer(@Nullable Object answer, @Nullable Throwable error) {
    if (error == null) {
      return answer;
    }
    Throwable cause =
        error instanceof CompletionException e && e.getCause() != null ? e.getCause() : error;
    if (cause instanceof RedisCommandExecutionException) {
      throw new CompletionException(new RedisError(String.valueOf(cause.getMessage())));
    }
    throw new CompletionException(cause);
  }

  @SuppressWarnings("unchecked") // both kinds of connections are of texts
  private static BaseRedisAsyncCommands<String, String> commands(
      StatefulConnection<String, String> connection) {
    return connection instanceof StatefulRedisClusterConnection<?, ?> cluster
        ? ((StatefulRedisClusterConnection<String, String>) cluster).async()
        : ((StatefulRedisConnection<String, String>) connection).async();
  }

  private synchronized Link link() {
    if (closed) {
      throw new IllegalStateException("this Redis is closed");
    }
    Link known = link;
    if (known == null) {
      known = open();
      link = known;
    }
    return known;
  }

  private Link open() {
    ClientResources resources =
        ClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .reconnectDelay(Delay.constant(AGAIN))
            .build();
    SocketOptions socket = SocketOptions.builder().connectTimeout(CONNECT).keepAlive(true).build();
    if (!address.cluster()) {
      RedisClient client = RedisClient.create(resources);
      client.setOptions(options(ClientOptions.builder(), socket).build());
      return new Link(client, address, resources);
    }
    RedisClusterClient client = RedisClusterClient.create(resources, address.nodes());
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh().build();
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    Object ignored = options(options, socket);
    client.setOptions(options.topologyRefreshOptions(refresh).build());
    return new Link(client, resources);
  }

  private static ClientOptions.Builder options(
      ClientOptions.Builder options, SocketOptions socket) {
    return options
        .socketOptions(socket)
        .protocolVersion(ProtocolVersion.RESP2)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(MOST_QUEUED);
  }

  /** Hands on what comes over the connection for channels. */
  private final class Heard extends RedisPubSubAdapter<String, String> {

    @Override
    public void message(String channel, String message) {
      channels.getOrDefault(channel, List.of()).forEach(one -> one.heard(message));
    }

    @Override
    public void subscribed(String channel, long count) {
      channels.getOrDefault(channel, List.of()).forEach(Listener::connected);
    }
  }
}
