package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;
import java.lang.reflect.Proxy;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;

/**
 * Runs the contract of session stores on the PostgreSQL of the system property {@code postgres}, a
 * JDBC URL with user and password; without one it is skipped.
 */
final class PostgresSessionsTest extends SessionStoreContract {

  private static DataSource source;

  @BeforeAll
  static void open() throws SQLException {
    String url = System.getProperty("postgres");
    assumeTrue(url != null, "no -Dpostgres=jdbc:postgresql://…: what needs it is skipped");
    source = connecting(url);
    JdbcSessions.of(source).createTable();
  }

  @Override
  protected SessionStore store() {
    return JdbcSessions.of(source, Duration.ofHours(1));
  }

  /**
   * Returns what connects anew each time; that of the driver needs a module which nobody else does.
   */
  private static DataSource connecting(String url) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> DriverManager.getConnection(url));
  }
}
