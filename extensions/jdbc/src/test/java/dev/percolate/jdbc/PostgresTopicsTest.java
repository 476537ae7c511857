package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.TopicBus;
import dev.percolate.core.store.TopicBus.Message;
import dev.percolate.fixtures.Logged;
import dev.percolate.fixtures.PostgresServer;
import dev.percolate.http.Hash;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that no message is lost or delayed while publishers, consumers or PostgreSQL fail. */
final class PostgresTopicsTest {

  private static final Duration PATIENT = Duration.ofSeconds(30);

  private static PostgresServer server;
  private static Jdbc jdbc;
  private static Jdbc second;

  private final String topic = "topic-" + System.nanoTime();
  private final List<Message> heard = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void open() throws Exception {
    server = PostgresServer.start();
    jdbc = Jdbc.of(TestPool.none(server.url()), PATIENT);
    second = Jdbc.of(TestPool.none(server.url()), PATIENT);
    jdbc.createTables();
  }

  @AfterAll
  static void close() throws Exception {
    if (server != null) {
      jdbc.close();
      second.close();
      server.close();
    }
  }

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private void listen(Jdbc on, String name, Consumer<Message> consumer) throws IOException {
    open.add(on.topics().subscribe(name, 0, consumer));
  }

  private List<String> texts() {
    return heard.stream().map(Message::json).toList();
  }

  private static void await(int seconds, BooleanSupplier there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "not within " + seconds + " s");
      Thread.sleep(2);
    }
  }

  private static CompletableFuture<Long> publishLater(String topic, String json) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return second.topics().publish(topic, json, 10);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        });
  }

  @Test
  void idsFollowTheOrderOfCommitsIfAPublisherIsHeld() throws Exception {
    listen(jdbc, topic, heard::add);
    try (Connection held = DriverManager.getConnection(server.url());
        PreparedStatement publish = held.prepareStatement(JdbcTopics.PUBLISH)) {
      held.setAutoCommit(false);
      publish.setString(1, Hash.sha256(topic));
      publish.setLong(2, 10);
      publish.setString(3, "1");
      long first;
      try (ResultSet row = publish.executeQuery()) {
        assertTrue(row.next());
        first = row.getLong(1);
      }
      CompletableFuture<Long> later = publishLater(topic, "2");
      long ignored = second.topics().publish(topic + " other", "3", 10); // does not wait
      await(20, PostgresTopicsTest::waitsForALock);
      assertFalse(later.isDone());
      assertEquals(List.of(), heard);
      held.commit();
      long next = later.get(20, TimeUnit.SECONDS);
      assertTrue(first < next, first + ", " + next);
      await(20, () -> heard.size() == 2);
      assertEquals(List.of(new Message(first, "1"), new Message(next, "2")), heard);
    }
  }

  private static boolean waitsForALock() {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select 1 from pg_locks where not granted")) {
      return row.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSlowConsumerDelaysNoOtherTopic() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    List<String> slow = new CopyOnWriteArrayList<>();
    listen(
        jdbc,
        topic + " slow",
        message -> {
          awaitUninterruptibly(released);
          slow.add(message.json());
        });
    listen(jdbc, topic, heard::add);
    Jdbc pooled = Jdbc.of(new TestPool(server.url()), PATIENT);
    open.add(pooled);
    for (int i = 0; i < 100; i++) {
      pooled.topics().publish(topic + " slow", "" + i, 0);
      pooled.topics().publish(topic, "" + i, 0);
    }
    await(20, () -> heard.size() == 100);
    assertEquals(List.of(), slow);
    released.countDown();
    await(20, () -> slow.size() == 100);
    assertEquals(texts(), slow);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void messagesOfAMegabyteArrive() throws Exception {
    String json = "\"" + "\u00e4".repeat(1 << 19) + "\"";
    listen(jdbc, topic, heard::add);
    for (int i = 0; i < 3; i++) {
      second.topics().publish(topic, json, 2);
    }
    second.topics().publish(topic, "1", 3);
    await(20, () -> heard.size() == 4);
    assertEquals(List.of(json, json, json, "1"), texts());
    Jdbc late = Jdbc.of(new TestPool(server.url()), PATIENT);
    List<String> kept = new ArrayList<>();
    late.topics().subscribe(topic, 0, message -> kept.add(message.json())).close();
    assertEquals(List.of(json, json, "1"), kept);
    late.close();
  }

  @Test
  void aLostConnectionIsReplacedAndNothingIsMissed() throws Exception {
    listen(jdbc, topic, heard::add);
    second.topics().publish(topic, "0", 0);
    await(20, () -> heard.size() == 1);
    for (int i = 1; i <= 20; i++) {
      if (i % 5 == 0) {
        endListeners();
      }
      second.topics().publish(topic, "" + i, 0);
    }
    await(20, () -> heard.size() == 21);
    assertEquals("20", texts().get(20));
  }

  /** Ends the connections that listen. */
  private static void endListeners() throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where pid <> pg_backend_pid() and query in ('listen percolate', 'select 1')");
    }
  }

  @Test
  void messagesArriveWithoutAConnectionThatListens() throws Exception {
    DataSource none = TestPool.none("jdbc:postgresql://127.0.0.1:1/none?user=test");
    Jdbc deaf = Jdbc.of(new TestPool(server.url()), none, PATIENT);
    listen(deaf, topic, heard::add);
    for (int i = 0; i < 100; i++) {
      second.topics().publish(topic, "" + i, 0);
    }
    await(20, () -> heard.size() == 100);
    assertEquals(heard.stream().map(Message::id).sorted().toList(), ids());
    deaf.close();
  }

  @Test
  void notificationsThatDoNotArriveAreLogged() throws Exception {
    String elsewhere = server.url().replace("/postgres?", "/template1?"); // has its own channels
    Jdbc deaf = Jdbc.of(new TestPool(server.url()), TestPool.none(elsewhere), PATIENT);
    try (Logged logged = new Logged("dev.percolate.jdbc")) {
      listen(deaf, topic, heard::add);
      second.topics().publish(topic, "1", 0); // may be read when the connection begins to listen
      await(20, () -> heard.size() == 1);
      second.topics().publish(topic, "2", 0);
      await(20, () -> heard.size() == 2 && !logged.messages().isEmpty());
      String first = logged.messages().get(0);
      assertTrue(first.startsWith("notifications of topics do not arrive"), first);
    }
    deaf.close();
  }

  private List<Long> ids() {
    return heard.stream().map(Message::id).toList();
  }

  @Test
  void noAcknowledgedMessageIsMissedIfTheDatabaseRestarts() throws Exception {
    Jdbc quick = Jdbc.of(new TestPool(server.url()));
    List<Long> acknowledged = new ArrayList<>();
    listen(quick, topic, heard::add);
    publish(quick, acknowledged, 50);
    server.stop();
    assertThrows(IOException.class, () -> quick.topics().publish(topic, "no", 0));
    server.startAgain();
    await(20, () -> publish(quick, acknowledged, 1) > 50);
    publish(quick, acknowledged, 50);
    await(20, () -> ids().containsAll(acknowledged));
    assertEquals(ids().stream().sorted().distinct().toList(), ids());
    quick.close();
  }

  @Test
  void noAcknowledgedMessageIsMissedIfTheDatabaseHangs() throws Exception {
    Jdbc quick = Jdbc.of(new TestPool(server.url()));
    List<Long> acknowledged = new ArrayList<>();
    listen(quick, topic, heard::add);
    publish(quick, acknowledged, 50);
    server.pause();
    for (int i = 0; i < 10; i++) {
      assertThrows(IOException.class, () -> quick.topics().publish(topic, "no", 0));
    }
    server.resume();
    await(20, () -> publish(quick, acknowledged, 1) > 50);
    publish(quick, acknowledged, 50);
    await(20, () -> ids().containsAll(acknowledged));
    assertEquals(ids().stream().sorted().distinct().toList(), ids());
    quick.close();
  }

  /** Publishes messages, and returns how many were acknowledged so far. */
  private int publish(Jdbc on, List<Long> acknowledged, int messages) {
    for (int i = 0; i < messages; i++) {
      try {
        acknowledged.add(on.topics().publish(topic, "" + i, 0));
      } catch (IOException e) {
        // not acknowledged
      }
    }
    return acknowledged.size();
  }

  @Test
  void aBusWithoutListenersUsesNoConnection() throws Exception {
    TestPool pool = new TestPool(server.url(), 2);
    Jdbc small = Jdbc.of(pool);
    TopicBus bus = small.topics();
    bus.subscribe(topic, 0, heard::add).close();
    await(
        20,
        () -> {
          try (Connection one = pool.getConnection();
              Connection two = pool.getConnection()) {
            return one != two;
          } catch (SQLException e) {
            return false;
          }
        });
    small.close();
  }
}
