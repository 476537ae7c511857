package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.TopicBus;
import dev.percolate.fixtures.CostTable;
import dev.percolate.fixtures.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the table of costs in the page for operators with a real PostgreSQL. */
final class PostgresCostsTest {

  private static final CostTable TABLE = new CostTable("postgresql-costs");
  private static final int ROWS = 10_000;
  private static final Duration PATIENT = Duration.ofSeconds(30);

  /** A session of 200 characters. */
  private static final String JSON = "{\"cart\":\"" + "x".repeat(189) + "\"}";

  private static PostgresServer server;
  private static CountingProxy proxy;
  private static Jdbc jdbc;

  @BeforeAll
  static void open() throws Exception {
    server = PostgresServer.start();
    proxy = new CountingProxy(port());
    jdbc = Jdbc.of(new TestPool(proxy.url()), PATIENT);
    jdbc.createTables();
  }

  private static int port() {
    String address = server.address();
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  @AfterAll
  static void close() throws Exception {
    if (server != null) {
      jdbc.close();
      proxy.close();
      server.close();
    }
  }

  @Test
  void sessions() throws Exception {
    SessionStore store = jdbc.sessions();
    SessionData data = new SessionData(JSON, Instant.now().plusSeconds(3600), 3_600_000L);
    Owner owner = new Owner("user-123456", Instant.now(), "Mozilla/5.0");
    SessionData owned = new SessionData(JSON, data.expires(), 3_600_000L, null, owner);
    store.create("one", data);
    check("read a session", proxy, n -> assertNotNull(store.load("one")));
    check("extend a session (touch)", proxy, n -> assertTrue(store.touch("one", data)));
    check("log in: create a session", proxy, n -> store.create("user " + n, owned));
    check(
        "change a session",
        proxy,
        n -> {
          Entry entry = store.load("one");
          assertTrue(store.replace("one", data, entry.version()).replaced());
        });
    check("log out: remove a session", proxy, n -> store.remove("user " + n));
  }

  @Test
  void ratesKeysAndTopics() throws Exception {
    RateLimitStore rates = jdbc.rateLimits("requests");
    CostTable.Operation rate =
        n -> assertTrue(rates.take("10.0.0.1", 1, 1_000_000, 1000).allowed());
    check("rate limit, allowed", proxy, rate);
    rates.take("10.0.0.2", 1, 1, 86_400_000);
    check("rate limit, rejected", proxy, n -> rates.take("10.0.0.2", 1, 1, 86_400_000));
    IdempotencyStore keys = jdbc.idempotency();
    check(
        "idempotency key",
        proxy,
        n -> {
          String key = "k".repeat(39) + (1000 + n);
          assertEquals(null, keys.acquire(key, "t".repeat(22), "f".repeat(43), PATIENT));
          assertTrue(keys.save(key, "t".repeat(22), JSON, Duration.ofDays(1)));
        });
    TopicBus bus = jdbc.topics();
    check("publish a message", proxy, n -> bus.publish("news", JSON, 10));
  }

  @Test
  void aMessageCostsEachServerThatListensOneQuery() throws Exception {
    try (CountingProxy second = new CountingProxy(port())) {
      Jdbc listening = Jdbc.of(new TestPool(second.url()), PATIENT);
      Semaphore heard = new Semaphore(0);
      AutoCloseable subscription =
          listening.topics().subscribe("room", 0, message -> heard.release());
      check(
          "receive a message",
          second,
          n -> {
            jdbc.topics().publish("room", JSON, 10);
            assertTrue(heard.tryAcquire(20, TimeUnit.SECONDS));
          });
      check(
          "be notified of another topic",
          second,
          n -> {
            jdbc.topics().publish("quiet", JSON, 10);
            if (n == CostTable.BEFORE - 1
                || n == CostTable.ALL - 1) { // notifications keep their order
              jdbc.topics().publish("room", JSON, 10);
              assertTrue(heard.tryAcquire(20, TimeUnit.SECONDS));
            }
          });
      subscription.close();
      listening.close();
    }
  }

  @Test
  void aTableOfSessionsHasTheSizeOfThePage() throws Exception {
    SessionData data = new SessionData(JSON, Instant.now().plusSeconds(3600), 3_600_000L);
    jdbc.sessions().create("template", data);
    String copies =
        "insert into percolate_sessions select substr(md5(i::text) || md5(i::text), 1, 43),"
            + " version, json, cookie, 'user-' || (100000 + i), touched_at, 'Mozilla/5.0',"
            + " ends_at, gone_at + i, touched_at, max_age from generate_series(1, "
            + ROWS
            + ") i, percolate_sessions where id = '"
            + SessionStore.handle("template")
            + "'";
    long before = query("select pg_total_relation_size('percolate_sessions')");
    try (Connection connection = DriverManager.getConnection(proxy.url());
        Statement statement = connection.createStatement()) {
      assertEquals(ROWS, statement.executeUpdate(copies));
    }
    long bytes = query("select pg_total_relation_size('percolate_sessions')") - before;
    TABLE.check("a session in the table, with its indexes", List.of(bytes / ROWS));
  }

  private static long query(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(proxy.url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertTrue(row.next());
      return row.getLong(1);
    }
  }

  private static void check(String name, CountingProxy on, CostTable.Operation operation)
      throws Exception {
    CostTable.Meter meter =
        () -> {
          CountingProxy.Traffic traffic = on.traffic();
          return List.of(traffic.roundTrips(), traffic.sent(), traffic.received());
        };
    TABLE.check(name, meter, operation);
  }
}
