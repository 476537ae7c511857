package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Tests failovers whose result is not reported in time: a busy sentinel does nothing for 30 s
 * ("tilt"), and meanwhile the old master accepts writes that are lost.
 */
final class UnfinishedFailoverTest {

  private static final String BEGINS = "+failover-state-send-slaveof-noone";
  private static final String REPLICA = "slave 127.0.0.1:1 127.0.0.1 1 @ main 127.0.0.1 2";

  @Test
  void theSentinelIsAskedForTheMasterIfNoResultArrives() throws Exception {
    try (RedisServer old = RedisServer.start();
        RedisServer promoted = RedisServer.start();
        FakeSentinel sentinel = new FakeSentinel(old);
        Redis redis = Redis.of(sentinel.url(), "test", Duration.ofSeconds(2))) {
      awaitPing(redis);
      sentinel.master(promoted);
      sentinel.publish(BEGINS, REPLICA);
      awaitFailure(redis);
      String before = pings(old);
      assertEquals("", pings(promoted));
      awaitPing(redis);
      assertEquals(before, pings(old));
      assertTrue(pings(promoted).contains("calls="), "the new master got no command");
    }
  }

  @Test
  void commandsAreSentAgainAtOnceIfTheFailoverIsAborted() throws Exception {
    try (RedisServer master = RedisServer.start();
        FakeSentinel sentinel = new FakeSentinel(master);
        Redis redis = Redis.of(sentinel.url(), "test", Duration.ofSeconds(2))) {
      awaitPing(redis);
      sentinel.publish(BEGINS, REPLICA);
      awaitFailure(redis);
      assertThrows(IOException.class, redis::ping);
      sentinel.publish("-failover-abort-slave-timeout", "master main 127.0.0.1 2");
      awaitPing(redis);
    }
  }

  /** Returns what a server has counted of the command that pings send. */
  private static String pings(RedisServer server) throws IOException {
    return server
        .say("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_exists"))
        .findFirst()
        .orElse("");
  }

  private static void awaitPing(Redis redis) throws Exception {
    await(() -> isFine(redis));
  }

  private static void awaitFailure(Redis redis) throws Exception {
    await(() -> !isFine(redis));
  }

  private static void await(BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "not within 30 s");
      Thread.sleep(20);
    }
  }

  private static boolean isFine(Redis redis) {
    try {
      redis.ping();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
