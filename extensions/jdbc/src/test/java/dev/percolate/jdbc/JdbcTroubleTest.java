package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.SessionData;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks how long requests wait while a database hangs, rejects statements, or is unreachable. */
final class JdbcTroubleTest {

  private static final SessionData STORED = new SessionData("{}", null, null);
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:trouble" + NUMBERS.incrementAndGet() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final HangingSource source = new HangingSource(pool);
  private final SessionStore store = Jdbc.of(source).sessions();

  @BeforeEach
  void open() throws Exception {
    pool.setMaxConnections(100);
    Jdbc.of(pool).createTables();
    store.create("a", STORED);
  }

  @AfterEach
  void close() {
    source.goOn();
    pool.dispose();
  }

  private static long millis(Callable<?> call) throws Exception {
    long begin = System.nanoTime();
    assertThrows(IOException.class, call::call);
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  @ParameterizedTest
  @EnumSource(
      value = HangingSource.Place.class,
      names = {"CONNECTING", "STATEMENTS"})
  void requestsToAHangingDatabaseTimeOutAndThenFailAtOnce(HangingSource.Place place)
      throws Exception {
    source.hang(place);
    List<Callable<Long>> crowd = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      crowd.add(() -> millis(() -> store.load("a")));
    }
    ExecutorService threads = Executors.newFixedThreadPool(crowd.size());
    for (Future<Long> one : threads.invokeAll(crowd)) {
      long waited = one.get(30, TimeUnit.SECONDS);
      assertTrue(waited < 3 * Jdbc.TIMEOUT.toMillis(), waited + " ms");
    }
    threads.shutdown();
    int before = source.asked.get();
    long begin = System.nanoTime();
    for (int i = 0; i < 1000; i++) {
      IOException rejected = assertThrows(IOException.class, () -> store.create("b", STORED));
      assertEquals("the database is down; requests fail immediately", rejected.getMessage());
      assertNotNull(rejected.getCause());
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(source.asked.get() - before <= 2 + millis / 200, source.asked + " of " + before);
    if (place == HangingSource.Place.STATEMENTS) {
      assertTrue(source.aborted.get() > 0);
      assertTrue(source.limits.get() > 0);
    }
    source.goOn();
    assertNotNull(await(() -> entry("a")));
    store.create("b", STORED);
  }

  @Test
  @DisplayName("DOS-25: a database that hangs holds a bounded number of threads")
  void aDatabaseThatHangsHoldsABoundedNumberOfThreads() throws Exception {
    source.hang(HangingSource.Place.CONNECTING);
    int asked = source.asked.get();
    ExecutorService threads = Executors.newFixedThreadPool(400);
    List<Callable<Long>> crowd = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      crowd.add(() -> millis(() -> store.load("a")));
    }
    threads.invokeAll(crowd).forEach(one -> assertTrue(one.isDone()));
    threads.shutdown();
    assertTrue(source.asked.get() - asked <= 200, "" + source.asked);
    source.goOn();
    assertNotNull(await(() -> entry("a")));
  }

  /** Returns a data source whose connections reject all statements. */
  private DataSource rejecting(SQLException rejection) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Connection connection = pool.getConnection();
          return proxy(
              Connection.class,
              (own, call, values) -> {
                if (call.getName().equals("prepareStatement")) {
                  throw rejection;
                }
                return call.invoke(connection, values);
              });
        });
  }

  /** Returns a data source without connections. */
  private static DataSource failing(SQLException failure) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          throw failure;
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aRejectedStatementShowsThatTheDatabaseResponds() {
    SessionStore rejecting =
        Jdbc.of(rejecting(new SQLException("values: secret", "23505", 7))).sessions();
    for (int i = 0; i < 20; i++) {
      IOException rejected = assertThrows(IOException.class, () -> rejecting.load("a"));
      assertEquals("database error: SQL state 23505, code 7", rejected.getMessage());
      assertEquals(null, rejected.getCause());
    }
  }

  @Test
  void unreachableDatabasesHaveACause() {
    assertOpensTheBreaker(
        new SQLException("Connection to 127.0.0.1:1 refused", "08001"),
        "database error: SQL state 08001, code 0",
        "java.sql.SQLException: Connection to 127.0.0.1:1 refused");
  }

  @Test
  void poolsThatFailWithoutAnSqlStateOpenTheCircuitBreaker() {
    assertOpensTheBreaker(
        new SQLException("Cannot get a connection, pool error"),
        "database error: SQL state null, code 0",
        "java.sql.SQLTransientConnectionException: Cannot get a connection, pool error");
  }

  private static void assertOpensTheBreaker(SQLException failure, String message, String cause) {
    SessionStore store = Jdbc.of(failing(failure)).sessions();
    for (int i = 0; i < 5; i++) {
      IOException rejected = assertThrows(IOException.class, () -> store.load("a"));
      assertEquals(message, rejected.getMessage());
      assertEquals(cause, rejected.getCause().getMessage());
    }
    IOException rejected = assertThrows(IOException.class, () -> store.load("a"));
    assertEquals("the database is down; requests fail immediately", rejected.getMessage());
    assertFalse(rejected.getCause().getMessage().isEmpty());
  }

  @Test
  void abandonedWorkIsNotDoneLater() throws Exception {
    source.hang(HangingSource.Place.CONNECTING);
    assertThrows(IOException.class, () -> store.create("late", STORED));
    source.goOn();
    assertNotNull(await(() -> source.closed.get() == source.asked.get() ? "all" : null));
    assertEquals(null, store.load("late"));
  }

  @Test
  void theNetworkTimeoutOfTheDriverIsRestored() throws Exception {
    store.load("a");
    int after = source.limits.get();
    assertEquals(0, after % 2, "set as often as restored: " + after);
    assertTrue(Jdbc.TIMEOUT.compareTo(Duration.ofSeconds(1)) > 0);
  }

  private SessionStore.Entry entry(String id) {
    try {
      return store.load(id);
    } catch (IOException e) {
      return null;
    }
  }

  private static <T> T await(Supplier<T> there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    T found = there.get();
    while (found == null && System.nanoTime() < end) {
      Thread.sleep(10);
      found = there.get();
    }
    return found;
  }
}
