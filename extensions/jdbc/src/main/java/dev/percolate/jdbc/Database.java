package dev.percolate.jdbc;

import dev.percolate.engine.Callbacks;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database that all stores share. Work runs with READ COMMITTED, whatever the default of its
 * connections: other levels reject most concurrent changes of one row.
 */
final class Database {

  /** The time between two looks at the clock and the isolation level of the database. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The maximum number of attempts if the database rolls work back because of a conflict. */
  private static final int MOST_ATTEMPTS = 3;

  private final DatabaseCircuitBreaker breaker;
  private final Statements statements;
  private final DatabaseClock clock;
  private final Runnable afterUse;
  private final AtomicLong nextCheck = new AtomicLong(System.nanoTime());
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
    this.clock = new DatabaseClock(local);
    this.afterUse = afterUse;
  }

  Statements statements() {
    return statements;
  }

  DatabaseClock clock() {
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

  private void check(Connection connection) throws SQLException {
    if (!clock.isRead() || isCheckDue()) {
      clock.read(connection, statements);
      setsIsolation = connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }
  }

  private boolean isCheckDue() {
    long now = System.nanoTime();
    long due = nextCheck.get();
    return now - due >= 0 && nextCheck.compareAndSet(due, now + CHECK_NANOS);
  }
}
