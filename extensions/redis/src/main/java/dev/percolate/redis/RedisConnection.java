package dev.percolate.redis;

import dev.percolate.http.Hash;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands and waits for the replies, with a timeout and a limit on the waiting commands.
 * Fails at once while Redis is down.
 */
final class RedisConnection {

  private static final int MOST_WAITING = 1000;

  /** The additional time for a command that needs a new connection. */
  private static final Duration CONNECT = Duration.ofSeconds(1);

  /** The additional time for the first connection, which also loads classes. */
  private static final Duration FIRST = Duration.ofSeconds(3);

  private final RedisCommands commands;
  private final String name;
  private final String server;
  private final Duration timeout;
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private final CircuitBreaker breaker;
  private volatile boolean answered;

  RedisConnection(RedisCommands commands, String name, Duration timeout) {
    this.commands = commands;
    this.name = name;
    this.timeout = timeout;
    this.server = commands.address().isEmpty() ? "Redis" : "Redis at " + commands.address();
    Outage outage =
        new Outage(server + " is down; commands fail immediately", server + " responds again");
    this.breaker = new CircuitBreaker(this::isThere, commands::reconnect, outage);
  }

  void ping() throws IOException {
    Object ignored = call(List.of("EXISTS"), name + ":ping", List.of());
    long deaf = commands.disconnectedMillis();
    if (deaf > 0) {
      throw new IOException(server + " has delivered no topic messages for " + deaf + " ms");
    }
  }

  void close() {
    breaker.close();
    commands.close();
  }

  /** Returns the key for an id that comes from outside the application. */
  String key(String kind, String outside) {
    return keyOfHash(kind, Hash.sha256(outside));
  }

  /** Returns the key for an id that is already hashed. */
  String keyOfHash(String kind, String hash) {
    return name + ':' + kind + ':' + hash;
  }

  /** Returns the time since topic messages stopped arriving, in milliseconds. */
  long disconnectedMillis() {
    return commands.disconnectedMillis();
  }

  /** Sends a command with a key and waits for its reply. */
  @Nullable Object call(List<String> before, String key, List<String> after) throws IOException {
    rejectWhileAway();
    if (!places.tryAcquire()) {
      throw new IOException(MOST_WAITING + " commands wait for " + server);
    }
    try {
      CompletableFuture<@Nullable Object> sent = send(before, key, after);
      Object response = answered ? await(sent, timeout) : awaitFirst(sent);
      answered = true;
      breaker.succeeded();
      return response;
    } catch (RedisException e) {
      if (e.isAway()) {
        breaker.failed(e);
      } else {
        breaker.succeeded();
      }
      throw e;
    } catch (InterruptedIOException e) {
      throw e; // the caller was interrupted, so Redis may still work
    } catch (IOException e) {
      breaker.failed(e);
      throw e;
    } finally {
      places.release();
    }
  }

  /** Sends a command. A client library that throws, as after it was closed, is unavailable. */
  private CompletableFuture<@Nullable Object> send(
      List<String> before, String key, List<String> after) {
    try {
      return commands.send(before, key, after).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Subscribes to a channel, unless the breaker is open. */
  AutoCloseable subscribe(String channel, RedisCommands.Listener listener) throws IOException {
    rejectWhileAway();
    CompletableFuture<AutoCloseable> listening =
        commands.subscribe(channel, listener).toCompletableFuture();
    try {
      return awaitFirst(listening.copy());
    } catch (IOException e) {
      Object ignored =
          listening.thenAccept(RedisConnection::end); // the subscription may still succeed
      throw e;
    }
  }

  private static void end(AutoCloseable listening) {
    try {
      listening.close();
    } catch (Exception e) {
      // The failure to subscribe has been reported already.
    }
  }

  private void rejectWhileAway() throws IOException {
    if (breaker.isOpen()) {
      throw new IOException(server + " is down; commands fail immediately");
    }
  }

  /**
   * Waits for a reply that may need a new connection; a failure opens the breaker, so that others
   * do not wait.
   */
  private <T extends @Nullable Object> T awaitFirst(CompletableFuture<T> response)
      throws IOException {
    try {
      return await(response, timeout.plus(answered ? CONNECT : FIRST));
    } catch (RedisException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      breaker.open(e);
      throw e;
    }
  }

  private <T extends @Nullable Object> T await(CompletableFuture<T> response, Duration time)
      throws IOException {
    try {
      return response.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      boolean ignored = response.cancel(false);
      throw new IOException(server + " did not respond within " + time.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisException rejected) {
        throw rejected;
      }
      throw new IOException(server + " is unreachable: " + Outage.reason(e), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      boolean ignored = response.cancel(false);
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException cause) {
    IOException interrupted = new InterruptedIOException("interrupted while waiting for Redis");
    interrupted.initCause(cause);
    return interrupted;
  }

  private boolean isThere() {
    try {
      Object ignored = await(send(List.of("EXISTS"), name + ":ping", List.of()), timeout);
      answered = true;
      return true;
    } catch (RedisException e) {
      return !e.isAway();
    } catch (IOException e) {
      return false;
    }
  }
}
