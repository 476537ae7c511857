package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  /** How long a request waits while PostgreSQL hangs. */
  private static final Duration BRIEF = Duration.ofMillis(90);

  /** The number of requests that fail meanwhile. */
  private static final int REQUESTS = 100;

  private static PostgresServer server;
  private static DataSource source;

  @BeforeAll
  static void open() throws Exception {
    server = PostgresServer.start();
    source = source(true);
    JdbcSessions.of(source).createTable();
  }

  @AfterAll
  static void close() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected SessionStore store() {
    return JdbcSessions.of(source, Duration.ofHours(1), Duration.ofSeconds(30));
  }

  /**
   * Returns a source that opens a connection each time, or a pool that never checks its
   * connections.
   */
  private static DataSource source(boolean pooled) {
    Queue<Connection> free = new ConcurrentLinkedQueue<>();
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              Connection known = free.poll();
              Connection open = known == null ? DriverManager.getConnection(server.url()) : known;
              return pooled ? pooled(open, free) : open;
            });
  }

  /** Returns a connection to the pool when it is closed, unless it is broken. */
  private static Connection pooled(Connection open, Queue<Connection> free) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                if (!open.isClosed()) {
                  free.add(open);
                }
                return null;
              }
              try {
                return method.invoke(open, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void requestsToAHangingDatabaseTimeOutAndRecover(boolean pooled) throws Exception {
    SessionStore.Entry kept = JdbcSessions.of(source(false)).create("kept", STORED);
    SessionStore store = JdbcSessions.of(source(pooled), Duration.ofHours(1), BRIEF);
    assertEquals(kept, awaitEntry(store, 20));
    server.pause();
    int failed = 0;
    int late = 0;
    while (failed < REQUESTS) {
      long begin = System.nanoTime();
      try {
        store.load("kept");
      } catch (IOException e) {
        failed++;
        late += String.valueOf(e.getMessage()).startsWith("the database is down") ? 0 : 1;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(millis < 3_000, millis + " ms");
      Thread.sleep(5);
    }
    assertEquals(5, late, "of " + failed);
    server.resume();
    assertEquals(kept, awaitEntry(store, 20));
  }

  @Test
  void aRestartedDatabaseKeepsSessionsAndIsUsedAtOnce() throws Exception {
    SessionStore store = JdbcSessions.of(source(true));
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
