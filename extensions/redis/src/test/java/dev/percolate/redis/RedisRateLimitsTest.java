package dev.percolate.redis;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.testkit.RateLimitStoreContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of rate stores on a real Redis, through two connections. */
final class RedisRateLimitsTest extends RateLimitStoreContract {

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
  protected RateLimitStore store() {
    return redis.rateLimits("test");
  }

  @Override
  protected RateLimitStore another() {
    return second.rateLimits("test");
  }
}
