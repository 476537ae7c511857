package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.TopicBus;
import dev.percolate.fixtures.PostgresServer;
import dev.percolate.testkit.IdempotencyStoreContract;
import dev.percolate.testkit.RateLimitStoreContract;
import dev.percolate.testkit.RoomsContract;
import dev.percolate.testkit.TopicBusContract;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Runs the contracts of stores on PostgreSQL, as two processes, and with wrong clocks. */
final class PostgresStoresTest {

  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final Duration SKEW = Duration.ofMinutes(10);

  private static PostgresServer server;
  private static Jdbc jdbc;
  private static Jdbc second;

  @BeforeAll
  static void open() throws Exception {
    server = PostgresServer.start();
    jdbc = Jdbc.of(new TestPool(server.url()), PATIENT);
    second = Jdbc.of(new TestPool(server.url()), PATIENT);
    jdbc.createTables();
    second.createTables();
  }

  @AfterAll
  static void close() throws Exception {
    if (server != null) {
      jdbc.close();
      second.close();
      server.close();
    }
  }

  @Nested
  final class RateLimits extends RateLimitStoreContract {

    @Override
    protected RateLimitStore store() {
      return jdbc.rateLimits("test");
    }

    @Override
    protected RateLimitStore another() {
      return second.rateLimits("test");
    }
  }

  @Nested
  final class Idempotency extends IdempotencyStoreContract {

    @Override
    protected IdempotencyStore store() {
      return jdbc.idempotency();
    }

    @Override
    protected IdempotencyStore another() {
      return second.idempotency();
    }
  }

  @Nested
  final class Members extends RoomsContract {

    @Override
    protected MemberStore store() {
      return jdbc.members();
    }

    @Override
    protected MemberStore other() {
      return second.members();
    }
  }

  @Nested
  final class Topics extends TopicBusContract {

    @Override
    protected TopicBus bus() {
      return jdbc.topics();
    }

    @Override
    protected TopicBus other() {
      return second.topics();
    }
  }

  @Test
  void anEffectHappensOnce() throws Exception {
    EffectTrial.run(jdbc, new TestPool(server.url()));
  }

  @Test
  void oldRowsAreDeleted() throws Exception {
    SweepTrial.run(new TestPool(server.url()));
  }

  private static Jdbc withClock(Duration ahead) {
    InstantSource clock = () -> Instant.now().plus(ahead);
    TestPool pool = new TestPool(server.url());
    return new Jdbc(pool, pool, PATIENT, clock, Sweeper.INTERVAL);
  }

  private static void assertNear(Instant expected, Instant time) {
    Duration difference = Duration.between(expected, time).abs();
    assertTrue(difference.compareTo(Duration.ofSeconds(5)) < 0, time + ", not " + expected);
  }

  @Test
  void sessionsAreRightIfTheClocksOfServersDiffer() throws Exception {
    SessionStore fast = withClock(SKEW).sessions(Duration.ofMinutes(5));
    SessionStore slow = withClock(SKEW.negated()).sessions(Duration.ofMinutes(5));
    for (boolean swapped : new boolean[] {false, true}) {
      SessionStore writer = swapped ? slow : fast;
      SessionStore reader = swapped ? fast : slow;
      Duration ahead = swapped ? SKEW.negated() : SKEW;
      Instant writes = Instant.now().plus(ahead).truncatedTo(ChronoUnit.MILLIS);
      Instant reads = Instant.now().minus(ahead);
      String id = UUID.randomUUID().toString();
      String owner = UUID.randomUUID().toString();
      Instant end = writes.plusSeconds(60);
      Owner bob = new Owner(owner, writes, "Test/1.0");
      writer.create(id, new SessionData("{}", end, 60_000L, null, bob));
      SessionStore.Entry entry = reader.load(id);
      assertNotNull(entry);
      assertNear(reads, entry.touched());
      assertNear(reads.plusSeconds(60), entry.session().expires());
      assertNear(reads, reader.list(owner).get(0).created());
      assertNear(reads, reader.list(owner).get(0).lastUsed());
      assertTrue(reader.touch(id, entry.session()));
      assertNear(end, writer.load(id).session().expires());
      writer.end(id, writes.plusSeconds(10));
      assertNear(reads.plusSeconds(10), reader.endedAt(id));
      String brief = UUID.randomUUID().toString();
      Instant soon = Instant.now().plusSeconds(1);
      writer.create(brief, new SessionData("{}", soon.plus(ahead), 1000L));
      Instant latest = soon.plusSeconds(20);
      while ((reader.load(brief) != null || writer.load(brief) != null)
          && Instant.now().isBefore(latest)) {
        Thread.sleep(5);
      }
      assertNear(soon, Instant.now());
    }
  }

  @Test
  void rateLimitsAndKeysAreRightIfTheClocksOfServersDiffer() throws Exception {
    Jdbc fast = withClock(SKEW);
    Jdbc slow = withClock(SKEW.negated());
    String name = UUID.randomUUID().toString();
    assertTrue(fast.rateLimits("clock").take(name, 1, 2, 3_600_000).allowed());
    assertTrue(slow.rateLimits("clock").take(name, 1, 2, 3_600_000).allowed());
    assertFalse(fast.rateLimits("clock").take(name, 1, 2, 3_600_000).allowed());
    assertNull(slow.idempotency().acquire(name, "one", "print", Duration.ofSeconds(8)));
    assertNotNull(fast.idempotency().acquire(name, "two", "print", Duration.ofSeconds(8)));
    assertTrue(slow.idempotency().save(name, "one", "response", Duration.ofMinutes(1)));
    assertNotNull(fast.idempotency().acquire(name, "two", "print", Duration.ofSeconds(8)));
    long first = fast.topics().publish(name, "1", 5);
    assertTrue(slow.topics().publish(name, "2", 5) > first);
  }

  @Test
  void noWorkIsRejectedIfTheDatabaseIsSerializableByDefault() throws Exception {
    String url = server.url() + "&options=-c%20default_transaction_isolation=serializable";
    for (boolean pooled : new boolean[] {true, false}) {
      Jdbc strict = Jdbc.of(pooled ? new TestPool(url) : TestPool.none(url), PATIENT);
      String name = UUID.randomUUID().toString();
      List<Callable<Integer>> crowd = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        crowd.add(
            () -> {
              int mine = 0;
              for (int k = 0; k < 20; k++) {
                strict.topics().publish(name, "1", 10);
                RateLimitStore limit = strict.rateLimits("strict");
                mine += limit.take(name, 1, 100, 86_400_000).allowed() ? 1 : 0;
              }
              return mine;
            });
      }
      ExecutorService threads = Executors.newFixedThreadPool(crowd.size());
      int allowed = 0;
      for (Future<Integer> one : threads.invokeAll(crowd)) {
        allowed += one.get();
      }
      threads.shutdown();
      assertEquals(100, allowed);
    }
  }

  @Test
  void workSucceedsAgainAfterThePoolWasExhausted() throws Exception {
    TestPool pool = new TestPool(server.url(), 2);
    Jdbc small = Jdbc.of(pool);
    SessionStore sessions = small.sessions();
    String id = UUID.randomUUID().toString();
    SessionStore.Entry created = sessions.create(id, new SessionData("{}", null, null));
    try (Connection one = pool.getConnection();
        Connection two = pool.getConnection()) {
      assertFalse(one.isClosed() || two.isClosed());
      assertThrows(IOException.class, () -> sessions.load(id));
      assertThrows(IOException.class, () -> small.rateLimits("small").take(id, 1, 1, 1000));
      assertThrows(IOException.class, () -> small.topics().publish(id, "1", 1));
      assertThrows(
          IOException.class, () -> small.idempotency().acquire(id, "a", "b", Duration.ofHours(1)));
    }
    assertEquals(created, sessions.load(id));
    assertTrue(small.rateLimits("small").take(id, 1, 1, 1000).allowed());
    assertNull(small.idempotency().acquire(id, "a", "b", Duration.ofHours(1)));
  }

  @Test
  void connectionsToAServerThatOnlyReadsAreReplaced() throws Exception {
    setReadOnly("on");
    Jdbc moved = Jdbc.of(new TestPool(server.url()));
    SessionStore sessions = moved.sessions();
    String id = UUID.randomUUID().toString();
    IOException rejected;
    try {
      assertNull(sessions.load(id));
      SessionData session = new SessionData("{}", null, null);
      rejected = assertThrows(IOException.class, () -> sessions.create(id, session));
    } finally {
      setReadOnly("off");
    }
    assertTrue(rejected.getMessage().contains("25006"), rejected.getMessage());
    assertNotNull(sessions.create(id, new SessionData("{}", null, null)));
  }

  @Test
  void aRoleThatCannotCreateTablesUsesThem() throws Exception {
    execute(
        "create role limited login",
        "revoke create on schema public from public", // the default since PostgreSQL 15
        "grant select, insert, update, delete on all tables in schema public to limited");
    Jdbc limited = Jdbc.of(TestPool.none(server.url().replace("user=test", "user=limited")));
    limited.createTables();
    assertTrue(limited.rateLimits("limited").take("client", 1, 1, 1000).allowed());
  }

  @Test
  void tablesThatExistAreNotLocked() throws Exception {
    try (Connection held = DriverManager.getConnection(server.url());
        Statement statement = held.createStatement()) {
      held.setAutoCommit(false);
      statement.execute("lock table percolate_responses in row exclusive mode"); // as effects do
      Jdbc.of(TestPool.none(server.url() + "&options=-c%20lock_timeout=50")).createTables();
    }
  }

  private static void setReadOnly(String value) throws SQLException {
    execute(
        "set default_transaction_read_only = off",
        "alter database postgres set default_transaction_read_only = " + value);
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
