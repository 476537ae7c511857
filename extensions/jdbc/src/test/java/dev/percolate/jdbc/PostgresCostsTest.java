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
import dev.percolate.fixtures.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the table of costs in the page for operators with a real PostgreSQL. */
final class PostgresCostsTest {

  private static final Path PAGE = Path.of("../../docs/site/pages/guide/operators.md");
  private static final int TIMES = 100;

  /** Statements that the driver prepares on the server are shorter from the sixth time on. */
  private static final int BEFORE = 10;

  private static final int ROWS = 10_000;
  private static final Duration PATIENT = Duration.ofSeconds(30);

  /** A session of 200 characters. */
  private static final String JSON = "{\"cart\":\"" + "x".repeat(189) + "\"}";

  private static PostgresServer server;
  private static CountingProxy proxy;
  private static Jdbc jdbc;

  /** An operation of a store. */
  private interface Operation {
    void run(int number) throws Exception;
  }

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
    Operation rate = n -> assertTrue(rates.take("10.0.0.1", 1, 1_000_000, 1000).allowed());
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
            if (n == BEFORE - 1 || n == BEFORE + TIMES - 1) { // notifications keep their order
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
    assertMatches("a session in the table, with its indexes", List.of(bytes / ROWS));
  }

  private static long query(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(proxy.url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertTrue(row.next());
      return row.getLong(1);
    }
  }

  /** Compares round trips, bytes sent and bytes received, each of one operation, with the page. */
  private static void check(String name, CountingProxy on, Operation operation) throws Exception {
    for (int i = 0; i < BEFORE; i++) {
      operation.run(i);
    }
    CountingProxy.Traffic before = on.traffic();
    for (int i = BEFORE; i < BEFORE + TIMES; i++) {
      operation.run(i);
    }
    CountingProxy.Traffic after = on.traffic();
    assertMatches(
        name,
        List.of(
            each(after.roundTrips() - before.roundTrips()),
            each(after.sent() - before.sent()),
            each(after.received() - before.received())));
  }

  private static long each(long all) {
    return (all + TIMES / 2) / TIMES;
  }

  /**
   * The first figure of several is exact; bytes may differ by an eighth, or by 24, since
   * connections are checked meanwhile. {@code -Dapi.update=true} writes the row.
   */
  private static void assertMatches(String name, List<Long> figures) throws Exception {
    StringBuilder row = new StringBuilder("| " + name + " |");
    figures.forEach(figure -> row.append(' ').append(figure).append(" |"));
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    int at = 0;
    while (!lines.get(at).contains("{#postgresql-costs}")) {
      at++;
    }
    while (!lines.get(at).startsWith("| " + name + " |")) {
      at++;
    }
    if (Boolean.getBoolean("api.update")) {
      lines.set(at, row.toString());
      Files.writeString(PAGE, String.join("\n", lines) + "\n");
    }
    String[] shown = lines.get(at).substring(name.length() + 4).split("\\|");
    assertEquals(figures.size(), shown.length, () -> "measured: " + row);
    for (int i = 0; i < figures.size(); i++) {
      long most = figures.size() > 1 && i == 0 ? 0 : Math.max(24, figures.get(i) / 8);
      long difference = Math.abs(figures.get(i) - Long.parseLong(shown[i].strip()));
      assertTrue(difference <= most, () -> "measured: " + row + ", page: " + List.of(shown));
    }
  }
}
