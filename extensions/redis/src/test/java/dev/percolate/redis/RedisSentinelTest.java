package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests sessions and topics during failovers by real sentinels. */
@Tag("long")
final class RedisSentinelTest {

  private static RedisReplicas replicas;
  private static Redis writer;
  private static Redis listener;

  @BeforeAll
  static void start() throws Exception {
    replicas = RedisReplicas.start("--min-replicas-to-write", "1", "--min-replicas-max-lag", "10");
    writer = Redis.of(replicas.url(), "test", Duration.ofSeconds(2));
    listener = Redis.of(replicas.url(), "test", Duration.ofSeconds(2));
    awaitResponse(writer);
    awaitResponse(listener);
  }

  @AfterAll
  static void stop() throws Exception {
    writer.close();
    listener.close();
    replicas.close();
  }

  private static void awaitResponse(Redis redis) throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      try {
        redis.ping();
        return;
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
  }

  /** A change to the master. */
  private interface Fault {
    void on(RedisServer master) throws Exception;
  }

  private static void keepsAllAcknowledgedWrites(Fault fault, Fault repair) throws Exception {
    replicas.awaitWhole();
    try (Books books = new Books(writer, listener)) {
      books.awaitBoth(30);
      RedisServer before = replicas.master();
      fault.on(before);
      replicas.awaitSwitch(before);
      books.awaitBoth(30);
      assertTrue(!replicas.master().equals(before), "the master has not changed");
      repair.on(before);
      books.awaitBoth(30);
      replicas.awaitWhole();
      books.awaitBoth(30);
      books.settle();
      assertEquals(0, listener.disconnectedMillis());
    }
  }

  @Test
  void aPlannedFailoverKeepsAllAcknowledgedWrites() throws Exception {
    keepsAllAcknowledgedWrites(
        master -> assertEquals("OK", replicas.sentinels.get(0).say("SENTINEL", "FAILOVER", "main")),
        master -> {});
  }

  @Test
  void aKilledMasterIsReplaced() throws Exception {
    keepsAllAcknowledgedWrites(RedisServer::kill, RedisServer::startAgain);
  }

  @Test
  void aHungMasterIsReplacedAndListenersGetMessages() throws Exception {
    keepsAllAcknowledgedWrites(RedisServer::pause, RedisServer::resume);
  }
}
