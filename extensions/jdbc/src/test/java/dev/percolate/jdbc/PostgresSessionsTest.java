package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.fixtures.PostgresServer;
import dev.percolate.testkit.SessionStoreContract;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the contract of session stores on PostgreSQL, also while it hangs and after a restart. */
final class PostgresSessionsTest extends SessionStoreContract {

  private static final SessionStore.SessionData STORED =
      new SessionStore.SessionData("{}", null, null);

  /** How long PostgreSQL hangs, in seconds. */
  private static final int HANGS = Integer.getInteger("postgres.hangs", 4);

  private static PostgresServer server;
  private static DataSource source;

  @BeforeAll
  static void open() throws Exception {
    server = PostgresServer.start();
    source = new TestPool(server.url());
    Jdbc.of(source).createTables();
  }

  @AfterAll
  static void close() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected SessionStore store() {
    return Jdbc.of(source, Duration.ofSeconds(30)).sessions(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestsToAHangingDatabaseTimeOutAndRecover(boolean pooled) throws Exception {
    DataSource mine = pooled ? new TestPool(server.url()) : TestPool.none(server.url());
    SessionStore store = Jdbc.of(mine).sessions();
    SessionStore.Entry kept = store.create("kept", STORED);
    server.pause();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANGS);
    int failed = 0;
    int late = 0;
    while (System.nanoTime() < end || failed < 10) {
      long begin = System.nanoTime();
      try {
        store.load("kept");
      } catch (IOException e) {
        failed++;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(millis < 2 * Jdbc.TIMEOUT.toMillis(), millis + " ms");
      late += millis > Jdbc.TIMEOUT.toMillis() / 2 ? 1 : 0;
      Thread.sleep(5);
    }
    assertEquals(5, late, "of " + failed);
    server.resume();
    assertEquals(kept, awaitEntry(store, 5));
  }

  @Test
  void aRestartedDatabaseKeepsSessionsAndIsUsedAtOnce() throws Exception {
    SessionStore store = Jdbc.of(new TestPool(server.url())).sessions();
    SessionStore.Entry kept = store.create("kept", STORED);
    server.stop();
    long begin = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      int ignored = failure(store);
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(millis < 10_000, millis + " ms");
    server.startAgain();
    assertEquals(kept, awaitEntry(store, 5));
  }

  private static int failure(SessionStore store) {
    try {
      store.load("kept");
      throw new AssertionError("the database is there");
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).length();
    }
  }

  private static SessionStore.Entry awaitEntry(SessionStore store, int seconds) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    SessionStore.Entry found = null;
    while (found == null && System.nanoTime() < end) {
      try {
        found = store.load("kept");
      } catch (IOException e) {
        Thread.sleep(5);
      }
    }
    assertNotNull(found, "not back within " + seconds + " s");
    return found;
  }
}
