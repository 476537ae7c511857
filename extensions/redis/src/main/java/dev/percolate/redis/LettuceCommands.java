package dev.percolate.redis;

import dev.percolate.engine.DaemonTimer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands with Lettuce, over one connection for commands, and one for channels if there are
 * subscriptions.
 *
 * <p>Lettuce reopens closed connections. This class drops connections to a replaced master, as
 * reported by sentinels or by an error reply.
 */
final class LettuceCommands implements RedisCommands {

  /** The age a connection must have to be dropped because of an error reply. */
  private static final Duration YOUNG = Duration.ofMillis(500);

  /** The maximum time to open a connection, which includes loading the nodes of a cluster. */
  private static final Duration OPENING = Duration.ofSeconds(5);

  /**
   * The maximum time for which commands are rejected during a change of the master. Sentinels need
   * about a second. If they do not report the result in time, they are asked for the master.
   */
  private static final Duration LONGEST_CHANGE = Duration.ofSeconds(5);

  private final RedisAddress address;

  private volatile @Nullable SentinelWatch sentinels;

  // Guarded by this.
  private @Nullable LettuceClient client;
  private @Nullable Channels channels;
  private @Nullable CompletableFuture<? extends StatefulConnection<String, String>> connection;
  private long opened;
  private @Nullable Object change; // the change of the master that has begun; null for none
  private boolean closed;

  LettuceCommands(RedisAddress address) {
    this.address = address;
  }

  @Override
  public String address() {
    return address.toString();
  }

  @Override
  public CompletionStage<@Nullable Object> send(
      List<String> before, String key, List<String> after) {
    CommandArgs<String, String> arguments = new CommandArgs<>(LettuceClient.UTF_8);
    before.subList(1, before.size()).forEach(arguments::add);
    arguments.addKey(key);
    after.forEach(arguments::add);
    CompletableFuture<? extends StatefulConnection<String, String>> known = connection();
    CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
    Object ignored =
        known.whenComplete(
            (open, error) -> {
              try {
                if (error != null) {
                  fail(answer, known, error);
                } else if (!answer.isDone()) { // the caller may have given up
                  send(known, open, CommandType.valueOf(before.get(0)), arguments, answer);
                }
              } catch (Throwable e) { // otherwise the caller would wait for the timeout
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  private void send(
      CompletableFuture<?> known,
      StatefulConnection<String, String> open,
      CommandType name,
      CommandArgs<String, String> arguments,
      CompletableFuture<@Nullable Object> answer) {
    CompletableFuture<@Nullable Object> sent = send(open, name, arguments).toCompletableFuture();
    Object ignored =
        sent.whenComplete(
            (done, error) -> {
              if (error == null) {
                answer.complete(done);
              } else {
                fail(answer, known, error);
              }
            });
    Object unused =
        answer.whenComplete(
            (done, error) -> {
              if (answer.isCancelled()) {
                sent.cancel(false); // a command that waits for a connection is not sent
                lookAgain();
              }
            });
  }

  @Override
  public synchronized CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
    open();
    return channels == null
        ? CompletableFuture.failedFuture(new IOException("closed"))
        : channels.subscribe(channel, listener);
  }

  @Override
  public synchronized long disconnectedMillis() {
    return channels == null ? 0 : channels.awayMillis();
  }

  @Override
  public synchronized void reconnect() {
    if (connection == null || connection.isDone() || age() > OPENING.toNanos()) {
      dropCommands();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    SentinelWatch known = sentinels;
    if (known != null) {
      known.close();
    }
    if (channels != null) {
      channels.close();
    }
    if (client != null) {
      client.close();
    }
  }

  private static CompletionStage<@Nullable Object> send(
      StatefulConnection<String, String> open,
      CommandType name,
      CommandArgs<String, String> arguments) {
    return commands(open).dispatch(name, new ReplyOutput(LettuceClient.UTF_8), arguments);
  }

  @SuppressWarnings("unchecked") // both kinds of connections carry strings
  private static BaseRedisAsyncCommands<String, String> commands(
      StatefulConnection<String, String> connection) {
    return connection instanceof StatefulRedisClusterConnection<?, ?> cluster
        ? ((StatefulRedisClusterConnection<String, String>) cluster).async()
        : ((StatefulRedisConnection<String, String>) connection).async();
  }

  private void fail(
      CompletableFuture<@Nullable Object> answer, CompletableFuture<?> known, Throwable error) {
    Throwable cause = LettuceFailure.cause(error);
    try {
      if (cause instanceof RedisException rejected && rejected.isOfReplica()) {
        drop(known, rejected);
      }
    } finally {
      answer.completeExceptionally(cause);
    }
  }

  /**
   * Refreshes the nodes of a cluster, since a node that does not respond may have been replaced.
   */
  private void lookAgain() {
    LettuceClient known;
    synchronized (this) {
      known = closed ? null : client;
    }
    if (known != null) {
      known.lookAgain();
    }
  }

  private synchronized CompletableFuture<? extends StatefulConnection<String, String>>
      connection() {
    if (change != null) {
      return CompletableFuture.failedFuture(new IOException("sentinels are electing a new master"));
    }
    CompletableFuture<? extends StatefulConnection<String, String>> known = connection;
    if (known == null || known.isCompletedExceptionally()) {
      LettuceClient created = open();
      known = awaitSentinels().thenCompose(ready -> created.commands());
      connection = known;
      opened = System.nanoTime();
    }
    return known;
  }

  /** Waits for the first subscription to a sentinel, so that no change of the master is missed. */
  private CompletableFuture<Void> awaitSentinels() {
    SentinelWatch known = sentinels;
    return known == null ? CompletableFuture.completedFuture(null) : known.ready();
  }

  private synchronized LettuceClient open() {
    if (closed) {
      throw new IllegalStateException("this Redis is closed");
    }
    LettuceClient known = client;
    if (known == null) {
      LettuceClient created = LettuceClient.of(address);
      channels =
          new Channels(
              () -> awaitSentinels().thenCompose(ready -> created.channels()),
              new Outage(
                  "Redis at " + address + " delivers no topic messages",
                  "Redis at " + address + " delivers topic messages again"),
              address.cluster());
      client = created;
      RedisURI first = address.nodes().get(0);
      if (!first.getSentinels().isEmpty()) {
        sentinels = new SentinelWatch(created, first, new Changes(created));
      }
      known = created;
    }
    return known;
  }

  /** Drops both connections if this one leads to a replica, unless they were just replaced. */
  private synchronized void drop(CompletableFuture<?> known, RedisException rejected) {
    if (connection == known && age() > YOUNG.toNanos()) {
      drop(rejected);
    }
  }

  private synchronized long age() {
    return System.nanoTime() - opened;
  }

  /** Drops both connections; the connection for channels is reopened at once. */
  private synchronized void drop(Throwable cause) {
    dropCommands();
    if (channels != null && !closed) {
      channels.renew(cause);
    }
  }

  private synchronized void dropCommands() {
    CompletableFuture<? extends StatefulConnection<String, String>> known = connection;
    connection = null;
    if (known != null) {
      Object ignored = known.thenCompose(StatefulConnection::closeAsync);
    }
  }

  /** Reacts to the events of sentinels. */
  private final class Changes implements SentinelWatch.Events {

    private final LettuceClient client;

    Changes(LettuceClient client) {
      this.client = client;
    }

    @Override
    public void changes(RedisURI sentinel) {
      Object begun = new Object();
      synchronized (LettuceCommands.this) {
        change = begun;
      }
      Runnable ignored = DaemonTimer.after(LONGEST_CHANGE, () -> endOf(begun, sentinel));
    }

    /** Connects again if a change has no result yet: the old master would still accept writes. */
    private void endOf(Object begun, RedisURI sentinel) {
      synchronized (LettuceCommands.this) {
        if (change == begun) {
          change = null;
          client.askFirst(sentinel);
          drop(new IOException("sentinels did not report the result of a failover"));
        }
      }
    }

    @Override
    public void stays() {
      synchronized (LettuceCommands.this) {
        change = null;
      }
    }

    @Override
    public void changed(RedisURI sentinel) {
      client.askFirst(sentinel);
      synchronized (LettuceCommands.this) {
        change = null;
        drop(new IOException("a sentinel reported a new master"));
      }
    }
  }

  /** Decodes the reply to a command: a string, a number, null, or a list of these. */
  private static final class ReplyOutput extends CommandOutput<String, String, Object> {

    private @Nullable List<@Nullable Object> list;
    private @Nullable Object value;

    ReplyOutput(RedisCodec<String, String> codec) {
      super(codec, "");
    }

    @Override
    public @Nullable Object get() {
      return list == null ? value : list;
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      add(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void set(long integer) {
      add(integer);
    }

    @Override
    public void multi(int count) {
      if (list == null && count >= 0) {
        list = new ArrayList<>(count);
      }
    }

    private void add(@Nullable Object one) {
      if (list == null) {
        value = one;
      } else {
        list.add(one);
      }
    }
  }
}
