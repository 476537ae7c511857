package dev.percolate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prepares statements with a timeout, and hides the differences between databases. */
final class Statements {

  /** The time of the database, in microseconds since 1970. */
  static final String MICROS =
      "cast(floor(extract(epoch from current_timestamp) * 1000000) as bigint)";

  private static final String DUPLICATE_KEY = "23505";

  private final int seconds;

  /**
   * Creates statements.
   *
   * @param timeout the time after which the database cancels a statement; at least a second
   */
  Statements(Duration timeout) {
    this.seconds = (int) Math.max(1, timeout.toSeconds());
  }

  PreparedStatement prepare(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(seconds);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Runs a statement, and returns the number of rows that it has changed. */
  int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** Inserts a row. Returns false if a row with its key exists. */
  boolean insertOnce(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    if (isPostgres(connection)) { // an error would end the transaction
      return update(connection, sql + " on conflict do nothing", values) > 0;
    }
    try {
      return update(connection, sql, values) > 0;
    } catch (SQLException e) {
      if (DUPLICATE_KEY.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  /** Returns a query that changes rows, and returns columns of the changed rows. */
  static String returning(Connection connection, String columns, String change)
      throws SQLException {
    return isPostgres(connection)
        ? change + " returning " + columns
        : "select " + columns + " from final table (" + change + ")";
  }

  static boolean isPostgres(Connection connection) throws SQLException {
    return "PostgreSQL".equals(connection.getMetaData().getDatabaseProductName());
  }
}
