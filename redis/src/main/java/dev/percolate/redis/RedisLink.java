package dev.percolate.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what commands answer, for a bounded time and in a bounded number, unless Redis is away.
 */
final class RedisLink {

  private static final int MOST_WAITING = 1000;

  /** What the first connection takes besides, with all classes that it needs. */
  private static final Duration FIRST = Duration.ofSeconds(1);

  private final RedisCommands commands;
  private final String name;
  private final Duration timeout;
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private final Breaker breaker;
  private volatile boolean answered;

  RedisLink(RedisCommands commands, String name, Duration timeout) {
    this.commands = commands;
    this.name = name;
    this.timeout = timeout;
    this.breaker = new Breaker(this::isThere, commands::reconnect);
  }

  void ping() throws IOException {
    Object ignored = call(List.of("EXISTS"), name + ":ping", List.of());
  }

  void close() {
    breaker.close();
    commands.close();
  }

  /** Returns the key of something whose name comes from outside. */
  String key(String kind, String outside) {
    return name + ':' + kind + ':' + hash(outside);
  }

  static String hash(String outside) {
    try {
      byte[] bytes = outside.getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime must have SHA-256", e);
    }
  }

  RedisCommands commands() {
    return commands;
  }

  /** Sends a command with a key and waits for its answer. */
  @Nullable Object call(List<String> before, String key, List<String> after) throws IOException {
    if (breaker.isOpen()) {
      throw new IOException("Redis has not answered for a while");
    }
    if (!places.tryAcquire()) {
      throw new IOException(MOST_WAITING + " commands wait for Redis");
    }
    try {
      CompletableFuture<@Nullable Object> sent =
          commands.send(before, key, after).toCompletableFuture();
      Object answer = answered ? await(sent) : awaitFirst(sent);
      answered = true;
      breaker.succeeded();
      return answer;
    } catch (RedisError e) {
      if (e.isAway()) {
        breaker.failed();
      } else {
        breaker.succeeded();
      }
      throw e;
    } catch (IOException e) {
      breaker.failed();
      throw e;
    } finally {
      places.release();
    }
  }

  /** Waits for an answer that needs a connection first. */
  <T extends @Nullable Object> T awaitFirst(CompletableFuture<T> answer) throws IOException {
    return await(answer, timeout.plus(FIRST));
  }

  /** Waits for an answer, as long as a command has. */
  private <T extends @Nullable Object> T await(CompletableFuture<T> answer) throws IOException {
    return await(answer, timeout);
  }

  private static <T extends @Nullable Object> T await(CompletableFuture<T> answer, Duration time)
      throws IOException {
    try {
      return answer.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      boolean ignored = answer.cancel(false);
      throw new IOException("Redis does not answer within " + time.toMillis() + " ms");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisError refused) {
        throw refused;
      }
      throw new IOException("Redis is out of reach", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Redis was asked", e);
    }
  }

  private boolean isThere() {
    try {
      Object ignored =
          await(commands.send(List.of("EXISTS"), name + ":ping", List.of()).toCompletableFuture());
      return true;
    } catch (RedisError e) {
      return !e.isAway();
    } catch (IOException e) {
      return false;
    }
  }
}
