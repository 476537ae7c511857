package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.testkit.SessionStoreContract;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract of session stores on a real Redis, through two connections. */
final class RedisSessionsTest extends SessionStoreContract {

  private static final Duration SKEW = Duration.ofMinutes(10);

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;
  private static final List<Redis> skewed = new ArrayList<>();

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
    skewed.forEach(Redis::close);
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

  private static SessionStore withClock(Duration ahead) {
    RedisCommands commands = new LettuceCommands(RedisAddress.of(server.url()));
    RedisConnection connection = new RedisConnection(commands, "test", Duration.ofSeconds(10));
    skewed.add(new Redis(connection, () -> Instant.now().plus(ahead)));
    return skewed.get(skewed.size() - 1).sessions(Duration.ofMinutes(5));
  }

  private static void assertNear(Instant expected, Instant time) {
    Duration difference = Duration.between(expected, time).abs();
    assertTrue(difference.compareTo(Duration.ofSeconds(5)) < 0, time + ", not " + expected);
  }

  @Test
  void sessionsAreRightIfTheClocksOfServersDiffer() throws Exception {
    SessionStore fast = withClock(SKEW);
    SessionStore slow = withClock(SKEW.negated());
    for (boolean swapped : new boolean[] {false, true}) {
      SessionStore writer = swapped ? slow : fast;
      SessionStore reader = swapped ? fast : slow;
      Duration ahead = swapped ? SKEW.negated() : SKEW;
      Instant writes = Instant.now().plus(ahead).truncatedTo(ChronoUnit.MILLIS);
      Instant reads = Instant.now().minus(ahead);
      String id = UUID.randomUUID().toString();
      String owner = UUID.randomUUID().toString();
      Owner bob = new Owner(owner, writes, "Test/1.0");
      writer.create(id, new SessionData("{}", writes.plusSeconds(60), 60_000L, null, bob));
      SessionStore.Entry entry = reader.load(id);
      assertNear(reads, entry.touched());
      assertNear(reads.plusSeconds(60), entry.session().expires());
      assertNear(reads, reader.list(owner).get(0).created());
      assertNear(reads, reader.list(owner).get(0).lastUsed());
      assertTrue(reader.replace(id, entry.session(), entry.version()).replaced());
      assertTrue(reader.touch(id, entry.session()));
      assertNear(writes.plusSeconds(60), writer.load(id).session().expires());
      assertNear(writes, writer.load(id).touched());
      writer.end(id, writes.plusSeconds(10));
      assertNear(reads.plusSeconds(10), reader.endedAt(id));
      assertEquals(List.of(), reader.list(owner));
    }
  }
}
