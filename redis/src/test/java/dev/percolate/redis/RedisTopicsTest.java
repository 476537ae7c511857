package dev.percolate.redis;

import dev.percolate.core.store.TopicBus;
import dev.percolate.testkit.TopicBusContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of buses of topics on a real Redis, through two connections. */
final class RedisTopicsTest extends TopicBusContract {

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = patient(server);
    second = patient(server);
  }

  /** A busy machine may take longer than a quarter of a second for anything. */
  private static Redis patient(RedisServer server) {
    RedisCommands commands = new LettuceCommands(RedisAddress.of(server.url()));
    return Redis.over(commands, "test", Duration.ofSeconds(10));
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    second.close();
    server.close();
  }

  @Override
  protected TopicBus bus() {
    return redis.topics();
  }

  @Override
  protected TopicBus other() {
    return second.topics();
  }
}
