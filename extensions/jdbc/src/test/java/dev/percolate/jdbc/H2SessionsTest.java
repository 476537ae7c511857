package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract of session stores on H2. */
final class H2SessionsTest extends SessionStoreContract {

  private static JdbcConnectionPool pool;

  @BeforeAll
  static void open() throws SQLException {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:sessions;DB_CLOSE_DELAY=-1", "sa", "");
    Jdbc.of(pool).createTables();
    Jdbc.of(pool).createTables();
  }

  @AfterAll
  static void close() {
    pool.dispose();
  }

  @Override
  protected SessionStore store() {
    return Jdbc.of(pool, Duration.ofSeconds(30)).sessions();
  }

  @Test
  void theTableHasHashedIds() throws Exception {
    store().create("a secret id", new SessionStore.SessionData("{}", null, 5L));
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select id from percolate_sessions where max_age = 5")) {
      assertEquals(true, row.next());
      assertEquals(
          "l2y_DXsYsV1XK-CT_G-lAaVXy1HsE7xqNQVG1xXGWRs".length(), row.getString(1).length());
      assertFalse(row.getString(1).contains("secret"));
    }
  }

  @Test
  void errorsContainNoValues() {
    JdbcConnectionPool away = JdbcConnectionPool.create("jdbc:h2:mem:empty", "sa", "a password");
    SessionStore store = Jdbc.of(away).sessions();
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                store.create("a secret id", new SessionStore.SessionData("{\"a\":1}", null, null)));
    assertEquals("database error: SQL state 42S04, code 42104", failure.getMessage());
    assertEquals(null, failure.getCause());
    away.dispose();
  }

  @Test
  void invalidOptionsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> Jdbc.of(pool).sessions(Duration.ZERO));
  }
}
