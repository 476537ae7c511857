package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.fixtures.Logged;
import dev.percolate.http.Hash;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Checks on any database that old rows are deleted, and no others. */
final class SweepTrial {

  private static final Duration OFTEN = Duration.ofMillis(20);

  private final DataSource source;
  private final Jdbc jdbc;
  private final String topic = "sweep-" + System.nanoTime();

  private SweepTrial(DataSource source) {
    this.source = source;
    this.jdbc = new Jdbc(source, source, Duration.ofSeconds(30), InstantSource.system(), OFTEN);
  }

  static void run(DataSource source) throws Exception {
    SweepTrial trial = new SweepTrial(source);
    trial.expiredSessionsRatesAndResponses();
    trial.execute("delete from percolate_sweeps"); // as after the loss of all rows
    trial.messagesThatAreNotKept();
    trial.manyMessagesInOneSweep();
    trial.topicsThatAreNotUsed();
    trial.jdbc.close();
    SweepTrial another = new SweepTrial(source); // has not warned yet
    another.otherTablesIfOneIsMissing();
    another.jdbc.close();
  }

  private void expiredSessionsRatesAndResponses() throws Exception {
    SessionStore brief = jdbc.sessions(Duration.ofMillis(1));
    for (int i = 0; i < 5; i++) {
      brief.create(topic + i, new SessionData("{}", null, 777_777L));
    }
    SessionStore sessions = jdbc.sessions();
    sessions.create(topic, new SessionData("{}", null, null));
    jdbc.rateLimits("sweep").take(topic, 1, 1, 1);
    jdbc.rateLimits("sweep").take(topic + "x", 1, 1, 3_600_000);
    String name = Hash.sha256("sweep\n" + topic);
    assertEquals(null, jdbc.idempotency().acquire(topic, "one", "print", Duration.ofMillis(1)));
    assertEquals(
        null, jdbc.idempotency().acquire(topic + "x", "one", "print", Duration.ofHours(1)));
    await("percolate_sessions where max_age = 777777", 0);
    await("percolate_rates where name = '" + name + "'", 0);
    await("percolate_responses where id = '" + topic + "'", 0);
    assertNotNull(sessions.load(topic));
    assertEquals(0, jdbc.rateLimits("sweep").take(topic + "x", 1, 1, 3_600_000).remaining());
    assertNotNull(jdbc.idempotency().acquire(topic + "x", "two", "print", Duration.ofHours(1)));
  }

  private void messagesThatAreNotKept() throws Exception {
    for (int i = 0; i < 30; i++) {
      jdbc.topics().publish(topic, "" + i, 5);
    }
    awaitSweep();
    String rows = "percolate_messages where topic = '" + Hash.sha256(topic) + "'";
    assertEquals(30, count(rows), "messages of the last minute stay");
    age(70);
    await(rows, 5);
    for (int i = 30; i < 40; i++) {
      jdbc.topics().publish(topic, "" + i, 5);
    }
    age(70);
    await(rows, 5);
    List<String> kept = new CopyOnWriteArrayList<>();
    jdbc.topics().subscribe(topic, 0, message -> kept.add(message.json())).close();
    assertEquals(List.of("35", "36", "37", "38", "39"), kept);
  }

  private void manyMessagesInOneSweep() throws Exception {
    String key = Hash.sha256(topic + " many");
    jdbc.topics().publish(topic + " many", "1", 5);
    String values =
        IntStream.rangeClosed(2, 3000)
            .mapToObj(n -> "('" + key + "', " + n + ", " + n + ", '1')")
            .collect(Collectors.joining(", "));
    execute("update percolate_messages set id = 1 where topic = '" + key + "'");
    execute("insert into percolate_messages values " + values);
    execute("update percolate_topics set messages = 3000 where topic = '" + key + "'");
    Database database =
        new Database(source, Duration.ofSeconds(30), InstantSource.system(), () -> {});
    String rows = "percolate_messages where topic = '" + key + "'";
    for (int sweeps = 0; sweeps < 2 && count(rows) > 5; sweeps++) { // another one may come first
      execute("delete from percolate_sweeps");
      new Sweeper(database, Duration.ofHours(1)).sweep();
    }
    assertEquals(5, count(rows));
    execute("delete from percolate_sweeps");
  }

  private void topicsThatAreNotUsed() throws Exception {
    String room = Hash.sha256(topic + " room");
    long before = jdbc.topics().publish(topic + " room", "1", 0);
    age(70);
    await("percolate_topics where topic = '" + room + "'", 0);
    await("percolate_messages where topic = '" + room + "'", 0);
    assertEquals(true, jdbc.topics().publish(topic + " room", "2", 0) > before);
    String key = Hash.sha256(topic);
    assertEquals(1, count("percolate_topics where topic = '" + key + "'"));
    age(TimeUnit.DAYS.toSeconds(7));
    await("percolate_topics where topic = '" + key + "'", 0);
    await("percolate_messages where topic = '" + key + "'", 0);
  }

  private void otherTablesIfOneIsMissing() throws Exception {
    execute("alter table percolate_topics rename to moved_topics");
    try (Logged logged = new Logged("dev.percolate.jdbc")) {
      awaitSweep(); // it may have begun before
      awaitSweep();
      String first = logged.messages().get(0);
      assertTrue(first.startsWith("old rows were not deleted: "), first);
    } finally {
      execute("alter table moved_topics rename to percolate_topics");
    }
  }

  /** Waits until a later sweep has deleted a row of its own. */
  private void awaitSweep() throws Exception {
    SessionStore brief = jdbc.sessions(Duration.ofMillis(1));
    brief.create(topic, new SessionData("{}", null, 888_888L));
    await("percolate_sessions where max_age = 888888", 0);
  }

  /** Makes all messages older. */
  private void age(long seconds) throws SQLException {
    long micros = TimeUnit.SECONDS.toMicros(seconds);
    execute("update percolate_topics set id = id - " + micros);
    execute("update percolate_messages set id = id - " + micros);
  }

  /** Uses the database until a number of rows is left. */
  private void await(String rows, int expected) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (count(rows) != expected && System.nanoTime() < end) {
      jdbc.ping();
      Thread.sleep(5);
    }
    assertEquals(expected, count(rows), rows);
  }

  private void execute(String sql) throws SQLException {
    try (Connection open = source.getConnection();
        Statement statement = open.createStatement()) {
      statement.execute(sql);
    }
  }

  private int count(String rows) throws SQLException {
    try (Connection open = source.getConnection();
        Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + rows)) {
      row.next();
      return row.getInt(1);
    }
  }
}
