package dev.percolate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Runs several statements in one transaction. */
final class Transaction {

  private Transaction() {}

  /**
   * Work in a transaction.
   *
   * @param <T> its result
   * @param <E> its exception
   */
  @FunctionalInterface
  interface Work<T extends @Nullable Object, E extends Exception> {

    T with(Connection connection) throws E, SQLException;
  }

  /** Runs work, and commits or rolls back. */
  static <T extends @Nullable Object, E extends Exception> T run(
      Connection connection, Work<T, E> work) throws E, SQLException {
    boolean before = connection.getAutoCommit();
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      T result = work.with(connection);
      connection.commit();
      done = true;
      return result;
    } finally {
      if (!done) {
        rollback(connection);
      }
      restore(connection, before);
    }
  }

  /** Rolls back; a broken connection has rolled back already. */
  static void rollback(Connection connection) {
    try {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      // the pool detects that the connection is broken
    }
  }

  private static void restore(Connection connection, boolean autoCommit) {
    try {
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      // the pool detects that the connection is broken
    }
  }
}
