package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.SessionData;
import dev.percolate.core.store.TopicBus.Message;
import dev.percolate.fixtures.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that nothing is lost if a synchronous standby replaces the primary. */
final class PostgresFailoverTest {

  private static final long DEADLINE_SECONDS = 30;

  private final List<Message> heard = new CopyOnWriteArrayList<>();
  private final List<Long> acknowledged = new ArrayList<>();
  private int failed;

  @Test
  void nothingThatWasAcknowledgedIsLost() throws Exception {
    PostgresServer primary = PostgresServer.start();
    PostgresServer standby = null;
    try {
      Jdbc.of(new TestPool(primary.url())).createTables();
      standby = primary.startStandby();
      failOver(primary, standby);
    } finally {
      if (standby != null) {
        standby.close();
      }
      primary.close();
    }
  }

  private void failOver(PostgresServer primary, PostgresServer standby) throws Exception {
    String url =
        "jdbc:postgresql://"
            + primary.address()
            + ","
            + standby.address()
            + "/postgres?user=test&targetServerType=primary&connectTimeout=1&hostRecheckSeconds=1";
    Jdbc jdbc = Jdbc.of(new TestPool(url));
    SessionStore sessions = jdbc.sessions();
    SessionStore.Entry entry = sessions.create("session", new SessionData("{}", null, null));
    AutoCloseable listening = jdbc.topics().subscribe("news", 0, heard::add);
    for (int i = 1; i <= 50; i++) {
      publish(jdbc);
      SessionData next = new SessionData("{\"n\":" + i + "}", null, null);
      entry = sessions.replace("session", next, entry.version()).current();
      assertNotNull(entry);
    }
    assertEquals(0, failed);
    unloggedTablesAreLeft(new TestPool(standby.url()));
    primary.stop();
    publish(jdbc);
    assertEquals(1, failed);
    standby.promote();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (acknowledged.size() < 100 && System.nanoTime() < end) {
      publish(jdbc);
    }
    assertEquals(entry, sessions.load("session"));
    assertTrue(jdbc.rateLimits("after").take("client", 1, 1, 1000).allowed());
    while (!ids().containsAll(acknowledged) && System.nanoTime() < end) {
      Thread.sleep(5);
    }
    assertTrue(ids().containsAll(acknowledged), ids() + " lacks some of " + acknowledged);
    assertEquals(ids().stream().sorted().distinct().toList(), ids());
    listening.close();
    jdbc.close();
  }

  /** Checks that a pool leaves a standby, whose unlogged tables cannot be read. */
  private static void unloggedTablesAreLeft(TestPool pool) throws SQLException {
    MemberStore members = Jdbc.of(pool).members();
    Connection first = pool.getConnection();
    Connection open = first.unwrap(Connection.class);
    first.close();
    IOException rejected = assertThrows(IOException.class, () -> members.members("r".repeat(43)));
    assertTrue(rejected.getMessage().contains("0A000"), rejected.getMessage());
    assertTrue(open.isClosed());
  }

  private List<Long> ids() {
    return heard.stream().map(Message::id).toList();
  }

  private void publish(Jdbc jdbc) throws InterruptedException {
    try {
      acknowledged.add(jdbc.topics().publish("news", "1", 10));
    } catch (IOException e) {
      failed++;
      Thread.sleep(20);
    }
  }
}
