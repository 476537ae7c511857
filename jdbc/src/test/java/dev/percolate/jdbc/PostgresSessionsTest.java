package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs the contract of session stores on the PostgreSQL of the system property {@code postgres}, a
 * JDBC URL with user and password; without one it is skipped.
 */
final class PostgresSessionsTest extends SessionStoreContract {

  private static PGSimpleDataSource source;

  @BeforeAll
  static void open() throws SQLException {
    String url = System.getProperty("postgres");
    assumeTrue(url != null, "no -Dpostgres=jdbc:postgresql://…: what needs it is skipped");
    source = new PGSimpleDataSource();
    source.setUrl(url);
    JdbcSessions.of(source).createTable();
  }

  @Override
  protected SessionStore store() {
    return JdbcSessions.of(source, Duration.ofHours(1));
  }
}
