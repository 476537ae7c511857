package dev.percolate.jdbc;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Classifies the errors of a database. */
final class SqlFailure {

  /** The classes for connection errors, insufficient resources and system errors. */
  private static final Set<String> CLASSES_AWAY = Set.of("08", "53", "58");

  /** The states of a server that stops or starts, and of a statement that timed out. */
  private static final Set<String> STATES_AWAY =
      Set.of("57P01", "57P02", "57P03", "57P05", "57014", "HYT00", "HYT01");

  private SqlFailure() {}

  /** Returns true if the database did not respond, false if it rejected a statement. */
  static boolean isAway(SQLException e) {
    return isConnection(e) || e instanceof SQLTimeoutException || STATES_AWAY.contains(state(e));
  }

  /**
   * Returns an error for logs. The message of the database may contain values, so the original
   * error is the cause only if there was no connection.
   */
  static IOException told(SQLException e) {
    String text = "the database fails: state " + e.getSQLState() + ", " + e.getErrorCode();
    return isConnection(e) ? new IOException(text, e) : new IOException(text);
  }

  private static boolean isConnection(SQLException e) {
    return e instanceof SQLTransientConnectionException
        || e instanceof SQLNonTransientConnectionException
        || e instanceof SQLRecoverableException
        || (state(e).length() >= 2 && CLASSES_AWAY.contains(state(e).substring(0, 2)));
  }

  private static String state(SQLException e) {
    String state = e.getSQLState();
    return state == null ? "" : state;
  }
}
