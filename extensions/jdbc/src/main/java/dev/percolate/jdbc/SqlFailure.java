package dev.percolate.jdbc;

import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.DOTALL;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.regex.Pattern;

/** Classifies the errors of a database. */
final class SqlFailure {

  /** The classes for connection errors and system errors. */
  private static final Set<String> CLASSES_AWAY = Set.of("08", "58");

  /**
   * The states of a server that only reads, such as a primary that was replaced: one of a change,
   * one of a statement that reads an unlogged table.
   */
  private static final Set<String> READ_ONLY = Set.of("25006", "0A000");

  /**
   * The states of a server that stops or starts, or has too little memory or too many connections,
   * and of a statement that timed out. A server whose disk is full (53100) still reads.
   */
  private static final Set<String> STATES_AWAY =
      Set.of("53200", "53300", "57P01", "57P02", "57P03", "57P05", "57014", "HYT00", "HYT01");

  /** The class of a transaction that the database has rolled back. */
  private static final String CLASS_ROLLED_BACK = "40";

  private static final int MAX_CAUSES = 4;

  /** The part of a message after the scheme of a URL or the name of a password. */
  private static final Pattern SECRET =
      Pattern.compile("(jdbc:|\\w://|(?:password|pwd|secret)\\s*=).*", CASE_INSENSITIVE | DOTALL);

  private SqlFailure() {}

  /** Returns true if the database did not respond, false if it rejected a statement. */
  static boolean isAway(SQLException e) {
    return isConnection(e)
        || e instanceof SQLTimeoutException
        || STATES_AWAY.contains(state(e))
        || isReadOnly(e);
  }

  /** Returns true if the server accepts no changes. */
  static boolean isReadOnly(SQLException e) {
    return READ_ONLY.contains(state(e));
  }

  /** Returns true if the database has rolled the work back, and it can be repeated. */
  static boolean isConflict(SQLException e) {
    return state(e).startsWith(CLASS_ROLLED_BACK);
  }

  /**
   * Returns the error of a data source as a connection error. Several pools report that no
   * connection is free, or that the server is down, without an SQL state.
   */
  static SQLException connecting(SQLException e) {
    return isConnection(e)
        ? e
        : new SQLTransientConnectionException(e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
  }

  /**
   * Returns an error for logs. The message of the database may contain values, so the error has a
   * cause only if there was no connection. The cause is a copy without URLs and passwords.
   */
  static IOException told(SQLException e) {
    String text = "database error: SQL state " + e.getSQLState() + ", code " + e.getErrorCode();
    if (isConnection(e)) {
      return new IOException(text, masked(e, MAX_CAUSES));
    }
    return isAway(e) ? new IOException(text) : new StatementRejectedException(text);
  }

  /** Returns an error on one line, with its cause if there was no connection. */
  static String text(SQLException e) {
    IOException told = told(e);
    Throwable cause = told.getCause();
    return told.getMessage() + (cause == null ? "" : "; cause: " + cause.getMessage());
  }

  private static IOException masked(Throwable e, int causes) {
    String message = e.getMessage() == null ? "" : ": " + e.getMessage();
    String text = e.getClass().getName() + SECRET.matcher(message).replaceAll("$1…");
    Throwable cause = e.getCause();
    IOException masked =
        cause == null || causes == 0
            ? new IOException(text)
            : new IOException(text, masked(cause, causes - 1));
    masked.setStackTrace(e.getStackTrace());
    return masked;
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
