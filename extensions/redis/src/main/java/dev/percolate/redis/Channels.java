package dev.percolate.redis;

import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.redis.RedisCommands.Listener;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscribed channels, over one connection. It is opened for the first listener, pinged every
 * two seconds, and closed after the last listener.
 *
 * <p>A connection for channels may be idle, so only a ping detects that the server is gone. A
 * connection that does not respond for two seconds is replaced, and its channels are subscribed
 * again.
 */
final class Channels {

  private static final Duration PING = Duration.ofSeconds(2);
  private static final Duration OPENING = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofMillis(200);

  /** The number of channels to subscribe at once. Lettuce rejects more than 1,000 commands. */
  private static final int BATCH = 100;

  /** Not those of the connection, which it blocks, nor the common pool, which others may block. */
  private static final Executor THREADS = VirtualThreads.blockingExecutor("percolate-redis-");

  private final Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>> opening;
  private final Outage outage;
  private final boolean lossy;
  private final Map<String, List<Listener>> listeners = new ConcurrentHashMap<>();

  // Guarded by this.
  private @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> connection;
  private long begun;
  private long beats;
  private boolean beating;
  private boolean closed;

  /**
   * Creates the channels without opening a connection.
   *
   * @param opening opens a connection
   * @param outage records when no messages arrive, and when they arrive again
   * @param lossy true if messages may be lost on a working connection, as between the nodes of a
   *     cluster. Listeners then check for lost messages at every second ping
   */
  Channels(
      Supplier<CompletableFuture<StatefulRedisPubSubConnection<String, String>>> opening,
      Outage outage,
      boolean lossy) {
    this.opening = opening;
    this.outage = outage;
    this.lossy = lossy;
  }

  /** Subscribes to a channel. The stage completes with a handle that ends the subscription. */
  synchronized CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
    listeners.computeIfAbsent(channel, name -> new CopyOnWriteArrayList<>()).add(listener);
    beatSoon();
    return connection()
        .thenCompose(open -> open.async().subscribe(channel))
        .handle(
            (done, error) -> {
              if (error != null) {
                leave(channel, listener);
                throw new CompletionException(LettuceFailure.cause(error));
              }
              return () -> leave(channel, listener);
            });
  }

  /** Subscribes to channels permanently, as soon as a connection is open. */
  synchronized void keep(Map<String, Listener> all) {
    all.forEach((channel, listener) -> listeners.put(channel, List.of(listener)));
    beatSoon();
    open();
  }

  /** Returns the time since messages stopped arriving, in milliseconds; 0 if they arrive. */
  long awayMillis() {
    return outage.millis();
  }

  /** Replaces the connection if it is open, or has not opened within {@link #OPENING}. */
  private void renewIfOpen(Throwable cause) {
    if (connection == null
        || connection.isDone()
        || System.nanoTime() - begun > OPENING.toNanos()) {
      renew(cause);
    }
  }

  /** Replaces the connection, even if it is still being opened. */
  synchronized void renew(Throwable cause) {
    drop();
    if (!closed && !listeners.isEmpty()) {
      outage.begin(cause);
      open();
    }
  }

  /** Stops opening connections; open connections are closed with their client. */
  synchronized void close() {
    closed = true;
    connection = null;
  }

  private synchronized void leave(String channel, Listener listener) {
    List<Listener> all = listeners.get(channel);
    if (all == null || !all.remove(listener) || !all.isEmpty()) {
      return;
    }
    listeners.remove(channel);
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = connection;
    if (known != null && !closed) {
      Object ignored = known.thenAccept(open -> unsubscribe(open, channel));
    }
  }

  /** Commands for a channel are sent in the order in which listeners are added and removed. */
  private synchronized void unsubscribe(
      StatefulRedisPubSubConnection<String, String> open, String channel) {
    if (!listeners.containsKey(channel) && open.isOpen()) {
      Object ignored =
          open.async()
              .unsubscribe(channel)
              .whenComplete(
                  (done, error) -> {
                    if (error != null) { // such as too many commands at once
                      Object unused = DaemonTimer.after(AGAIN, () -> unsubscribe(open, channel));
                    }
                  });
    }
  }

  private void drop() {
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = connection;
    connection = null;
    if (known != null) {
      Object ignored = known.thenCompose(StatefulConnection::closeAsync);
    }
  }

  /** Returns the connection, and opens one if there is none. */
  private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connection() {
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = connection;
    if (known == null || known.isCompletedExceptionally()) {
      Heard heard = new Heard();
      known =
          opened()
              .thenApply(
                  open -> {
                    open.addListener(heard);
                    open.addListener(new Watch());
                    return open;
                  });
      heard.connection = known;
      connection = known;
      begun = System.nanoTime();
    }
    return known;
  }

  private CompletableFuture<StatefulRedisPubSubConnection<String, String>> opened() {
    try {
      return opening.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Opens a connection and subscribes to all channels, and tries again until it succeeds. Each
   * channel needs its own command: Lettuce takes further replies to one command for the reply to a
   * later PING.
   */
  private void open() {
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = connection();
    Object ignored =
        known
            .thenCompose(open -> subscribe(open, List.copyOf(listeners.keySet())))
            .whenComplete(
                (done, error) -> {
                  if (error != null) {
                    Object unused = DaemonTimer.after(AGAIN, () -> renew(known, error));
                  }
                });
  }

  /** Subscribes to those of the channels that still have listeners, one batch after the other. */
  private synchronized CompletableFuture<Void> subscribe(
      StatefulRedisPubSubConnection<String, String> open, List<String> channels) {
    int size = Math.min(BATCH, channels.size());
    List<String> later = channels.subList(size, channels.size());
    CompletableFuture<Void> batch =
        CompletableFuture.allOf(
            channels.subList(0, size).stream()
                .filter(listeners::containsKey)
                .map(channel -> open.async().subscribe(channel).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    return later.isEmpty() ? batch : batch.thenCompose(done -> subscribe(open, later));
  }

  /** Replaces this connection, unless it has been replaced. */
  private synchronized void renew(
      CompletableFuture<StatefulRedisPubSubConnection<String, String>> known, Throwable cause) {
    if (connection == known) {
      renew(cause);
    }
  }

  private synchronized boolean isCurrent(
      @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>> known) {
    return connection == known && !closed;
  }

  private void beatSoon() {
    if (!beating && !closed) {
      beating = true;
      Object ignored = DaemonTimer.after(PING, this::beat);
    }
  }

  private void beat() {
    CompletableFuture<StatefulRedisPubSubConnection<String, String>> known;
    synchronized (this) {
      if (closed || listeners.isEmpty()) {
        beating = false;
        drop(); // a connection without listeners is not pinged
        return;
      }
      known = connection();
    }
    Object ignored =
        known
            .thenCompose(Channels::ping)
            .orTimeout(OPENING.plus(PING).toMillis(), TimeUnit.MILLISECONDS)
            .whenCompleteAsync((pong, error) -> beaten(known, error), THREADS);
  }

  /** Pings the server. The timeout does not include the time to open the connection. */
  private static CompletableFuture<String> ping(
      StatefulRedisPubSubConnection<String, String> open) {
    return open.async()
        .ping()
        .toCompletableFuture()
        .copy()
        .orTimeout(PING.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void beaten(
      CompletableFuture<StatefulRedisPubSubConnection<String, String>> known,
      @Nullable Throwable error) {
    beating = false;
    if (error != null && isCurrent(known)) {
      renewIfOpen(
          error instanceof TimeoutException || error.getCause() instanceof TimeoutException
              ? new IOException("no reply to PING within " + PING.toMillis() + " ms")
              : error);
    } else if (isCurrent(known)) {
      outage.end();
      beats++;
      if (lossy && beats % 2 == 0) {
        listeners.values().forEach(all -> all.forEach(Listener::onConnected));
      }
    }
    beatSoon();
  }

  /** Passes the messages of one connection to the listeners. */
  private final class Heard extends RedisPubSubAdapter<String, String> {

    private volatile @Nullable CompletableFuture<StatefulRedisPubSubConnection<String, String>>
        connection;

    @Override
    public void message(String channel, String message) {
      listeners.getOrDefault(channel, List.of()).forEach(one -> one.onMessage(message));
    }

    @Override
    public void subscribed(String channel, long count) {
      listeners.getOrDefault(channel, List.of()).forEach(Listener::onConnected);
      if (isCurrent(connection)) {
        outage.end();
      }
    }
  }

  /** Replaces a closed connection before Lettuce reopens it. */
  private final class Watch extends RedisConnectionStateAdapter {

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
      THREADS.execute(() -> replace(handler));
    }

    private void replace(RedisChannelHandler<?, ?> handler) {
      synchronized (Channels.this) {
        CompletableFuture<StatefulRedisPubSubConnection<String, String>> known = connection;
        if (known != null
            && known.isDone()
            && !known.isCompletedExceptionally()
            && known.join() == handler) {
          renew(new IOException("the connection was closed"));
        }
      }
    }
  }
}
