package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.TopicBus;
import dev.percolate.testkit.IdempotencyStoreContract;
import dev.percolate.testkit.RateLimitStoreContract;
import dev.percolate.testkit.RoomsContract;
import dev.percolate.testkit.SessionStoreContract;
import dev.percolate.testkit.TopicBusContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests all stores on a real cluster whose primaries are killed or hang. */
@Tag("long")
final class RedisClusterTest {

  private static RedisCluster cluster;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws Exception {
    cluster = RedisCluster.start();
    redis = Redis.of(cluster.url(), "test", Duration.ofSeconds(10));
    second = Redis.of(cluster.url(), "test", Duration.ofSeconds(10));
  }

  @AfterAll
  static void stop() throws Exception {
    redis.close();
    second.close();
    cluster.close();
  }

  /** The contract of session stores. */
  @Nested
  final class Sessions extends SessionStoreContract {

    @Override
    protected SessionStore store() {
      return redis.sessions();
    }

    @Override
    protected SessionStore another() {
      return second.sessions();
    }
  }

  /** The contract of member stores. */
  @Nested
  final class Members extends RoomsContract {

    @Override
    protected MemberStore store() {
      return redis.members();
    }

    @Override
    protected MemberStore other() {
      return second.members();
    }
  }

  /** The contract of topic buses. */
  @Nested
  final class Topics extends TopicBusContract {

    @Override
    protected TopicBus bus() {
      return redis.topics();
    }

    @Override
    protected TopicBus other() {
      return second.topics();
    }
  }

  /** The contract of idempotency stores. */
  @Nested
  final class Answers extends IdempotencyStoreContract {

    @Override
    protected IdempotencyStore store() {
      return redis.idempotency();
    }

    @Override
    protected IdempotencyStore another() {
      return second.idempotency();
    }
  }

  /** The contract of rate stores. */
  @Nested
  final class Rates extends RateLimitStoreContract {

    @Override
    protected RateLimitStore store() {
      return redis.rateLimits("test");
    }

    @Override
    protected RateLimitStore another() {
      return second.rateLimits("test");
    }
  }

  @Test
  void theFirstCommandsOfAProcessReachAllNodes() throws Exception {
    for (int trial = 0; trial < 5; trial++) {
      try (Redis fresh = Redis.of(cluster.url(), "test", Duration.ofSeconds(5))) {
        for (int i = 0; i < 20; i++) {
          assertNull(fresh.sessions().load("first-" + trial + "-" + i));
        }
        fresh.topics().subscribe("first", 0, message -> {}).close();
      }
    }
  }

  @Test
  void allSessionsOfAnOwnerEndWhicheverNodesTheyAreOn() throws Exception {
    SessionStore sessions = redis.sessions();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ids.add("slot-" + i);
      sessions.create(
          "slot-" + i, new SessionData("{}", null, null, null, new Owner("ann", Instant.EPOCH)));
    }
    sessions.removeAll("ann");
    for (String id : ids) {
      assertNull(sessions.load(id), id);
    }
  }

  @Test
  void aKilledAndAHungPrimaryAreReplacedAndNoUpdateIsLost() throws Exception {
    try (RedisCluster own = RedisCluster.start();
        Redis writer = Redis.of(own.url(), "test", Duration.ofSeconds(2));
        Redis listener = Redis.of(own.url(), "test", Duration.ofSeconds(2))) {
      awaitFirst(writer);
      awaitFirst(listener);
      try (Books books = new Books(writer, listener)) {
        books.awaitBoth(30);
        RedisServer killed = own.primaryOf(books.sessionKey());
        killed.kill();
        own.awaitReplaced(killed, books.sessionKey());
        books.awaitBoth(30);
        killed.startAgain();
        own.awaitWhole();
        books.awaitBoth(30);
        RedisServer hung = own.primaryOf(books.topicKey());
        hung.pause();
        own.awaitReplaced(hung, books.topicKey());
        books.awaitBoth(30);
        hung.resume();
        own.awaitWhole();
        books.awaitBoth(30);
        // Some messages of the seconds around a failover may not reach a listener of a cluster.
        books.settleUpdates();
        assertTrue(books.updates() > 50, () -> books.updates() + " updates");
        assertEquals(0, listener.disconnectedMillis());
      }
    }
  }

  private static void awaitFirst(Redis redis) throws Exception {
    for (int i = 0; i < 100; i++) {
      try {
        redis.ping();
        return;
      } catch (java.io.IOException e) {
        Thread.sleep(50);
      }
    }
  }
}
