package dev.percolate.redis;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of session stores on a real Redis, through two connections. */
final class RedisSessionsTest extends SessionStoreContract {

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = patient(server);
    second = patient(server);
  }

  /** Returns a client with a long timeout, since a busy machine may be slow. */
  private static Redis patient(RedisServer server) {
    RedisCommands commands = new LettuceCommands(RedisAddress.of(server.url()));
    return Redis.of(commands, "test", Duration.ofSeconds(10));
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    second.close();
    server.close();
  }

  @Override
  protected SessionStore store() {
    return redis.sessions();
  }

  @Override
  protected SessionStore another() {
    return second.sessions();
  }
}
