package dev.percolate.jdbc;

import dev.percolate.core.store.StoreClock;
import dev.percolate.engine.Callbacks;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database that all stores share. Statements run with READ COMMITTED, regardless of the default
 * of its connections: stricter levels reject most concurrent changes of one row.
 */
final class Database {

  /** The maximum number of attempts if the database rolls work back because of a conflict. */
  private static final int MOST_ATTEMPTS = 3;

  private final DatabaseCircuitBreaker breaker;
  private final Statements statements;
  private final StoreClock clock;
  private final Runnable afterUse;
  private volatile boolean setsIsolation;

  /**
   * Creates the database.
   *
   * @param timeout the maximum time that a request waits
   * @param local the clock of this server
   * @param afterUse called after each successful use; must not block
   */
  Database(DataSource source, Duration timeout, InstantSource local, Runnable afterUse) {
    this.statements = new Statements(timeout);
    this.breaker = new DatabaseCircuitBreaker(source, timeout, this::responds);
    this.clock = new StoreClock(local);
    this.afterUse = afterUse;
  }

  Statements statements() {
    return statements;
  }

  StoreClock clock() {
    return clock;
  }

  /**
   * Runs work with a connection. If the connection does not commit automatically, all of it is one
   * transaction.
   *
   * @throws IOException if the database fails or takes too long; the work may still be done after a
   *     timeout
   */
  <T extends @Nullable Object> T ask(DatabaseTask.Work<T> work) throws IOException {
    T result = breaker.ask(connection -> run(connection, work));
    Callbacks.run("a task after the use of a database", afterUse);
    return result;
  }

  /** Runs the shortest query. */
  boolean responds(Connection connection) throws SQLException {
    try (PreparedStatement select = statements.prepare(connection, "select 1");
        ResultSet row = select.executeQuery()) {
      return row.next();
    }
  }

  private <T extends @Nullable Object> T run(Connection connection, DatabaseTask.Work<T> work)
      throws SQLException {
    check(connection);
    if (!setsIsolation) {
      return attempt(connection, work);
    }
    int before = connection.getTransactionIsolation();
    DatabaseTask.commit(connection); // the level cannot change within a transaction
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    try {
      T result = attempt(connection, work);
      DatabaseTask.commit(connection);
      return result;
    } finally {
      restore(connection, before);
    }
  }

  private static void restore(Connection connection, int isolation) {
    try {
      Transaction.rollback(connection);
      connection.setTransactionIsolation(isolation);
    } catch (SQLException e) {
      // the pool detects that the connection is broken
    }
  }

  /** Runs work, again if the database has rolled it back because of a conflict. */
  private static <T extends @Nullable Object> T attempt(
      Connection connection, DatabaseTask.Work<T> work) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.with(connection);
      } catch (SQLException e) {
        if (SqlFailure.isReadOnly(e)) {
          connection.abort(Runnable::run); // so that the pool connects to the new primary
        }
        if (attempt == MOST_ATTEMPTS || !SqlFailure.isConflict(e)) {
          throw e;
        }
        Transaction.rollback(connection);
      }
    }
  }

  /** Reads the clock and the isolation level of the database, if that is due. */
  private void check(Connection connection) throws SQLException {
    if (!clock.isDue()) {
      return;
    }
    long sent = System.nanoTime();
    try (PreparedStatement select = statements.prepare(connection, "select current_timestamp");
        ResultSet row = select.executeQuery()) {
      if (row.next()) {
        clock.set(row.getTimestamp(1).toInstant().toEpochMilli(), sent);
      }
    }
    setsIsolation = connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
  }
}
