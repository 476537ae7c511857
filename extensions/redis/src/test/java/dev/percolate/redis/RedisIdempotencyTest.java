package dev.percolate.redis;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.testkit.IdempotencyStoreContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of idempotency stores on a real Redis, through two connections. */
final class RedisIdempotencyTest extends IdempotencyStoreContract {

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = server.client("test");
    second = server.client("test");
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    second.close();
    server.close();
  }

  @Override
  protected IdempotencyStore store() {
    return redis.idempotency();
  }

  @Override
  protected IdempotencyStore another() {
    return second.idempotency();
  }
}
