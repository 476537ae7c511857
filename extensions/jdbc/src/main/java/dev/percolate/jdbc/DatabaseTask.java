package dev.percolate.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A task with one connection, which can be abandoned while the database does not respond.
 *
 * @param <T> the result of the work
 */
final class DatabaseTask<T extends @Nullable Object> extends FutureTask<T> {

  private final Errand<T> errand;
  private final Runnable over;

  /**
   * Work with a connection.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {

    T with(Connection connection) throws SQLException;
  }

  /**
   * Creates a task.
   *
   * @param limit the maximum time that the driver waits for its server
   * @param over called when the task ends, even if it was abandoned earlier
   */
  DatabaseTask(DataSource source, Work<T> work, Duration limit, Runnable over) {
    this(new Errand<>(source, work, limit), over);
  }

  private DatabaseTask(Errand<T> errand, Runnable over) {
    super(errand);
    this.errand = errand;
    this.over = over;
  }

  @Override
  public void run() {
    try {
      super.run();
    } finally {
      over.run();
    }
  }

  /**
   * Cancels the work if it has not begun, and aborts the connection of the task, so that its driver
   * stops waiting.
   *
   * @param threads the executor for aborting the connection, which may block
   */
  void abandon(Executor threads) {
    boolean ignored = cancel(true);
    errand.abandon();
    threads.execute(errand::abort);
  }

  /** Gets a connection. All failures to do so are connection errors. */
  static Connection connect(DataSource source) throws SQLException {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw SqlFailure.connecting(e);
    }
  }

  static void commit(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  /** Gets a connection, runs the work, and closes the connection. */
  private static final class Errand<T extends @Nullable Object> implements Callable<T> {

    private final DataSource source;
    private final Work<T> work;
    private final int limitMillis;

    /** Held while a connection is aborted, so that it does not return to its pool meanwhile. */
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private @Nullable Connection open;
    private boolean abandoned;

    Errand(DataSource source, Work<T> work, Duration limit) {
      this.source = source;
      this.work = work;
      this.limitMillis = (int) limit.toMillis();
    }

    @Override
    public T call() throws SQLException {
      try (Connection connection = connect(source)) {
        begin(connection);
        try {
          return limited(connection);
        } finally {
          end();
        }
      }
    }

    private T limited(Connection connection) throws SQLException {
      int before = limit(connection);
      try {
        T result = work.with(connection);
        commit(connection);
        return result;
      } finally {
        unlimit(connection, before);
      }
    }

    private void begin(Connection connection) throws SQLException {
      lock.lock();
      try {
        if (abandoned) {
          throw new SQLException("the request was abandoned");
        }
        open = connection;
      } finally {
        lock.unlock();
      }
    }

    private void end() {
      lock.lock();
      try {
        open = null; // from now on other requests may use the connection
      } finally {
        lock.unlock();
      }
    }

    void abandon() {
      lock.lock();
      try {
        abandoned = true;
      } finally {
        lock.unlock();
      }
    }

    void abort() {
      lock.lock();
      try {
        if (open != null) {
          open.abort(Runnable::run);
        }
      } catch (SQLException | RuntimeException | AbstractMethodError e) {
        // the network timeout ends it, if the driver supports one
      } finally {
        lock.unlock();
      }
    }

    /**
     * Sets the network timeout to the limit of the request; returns the value to restore, or -1.
     */
    private int limit(Connection connection) throws SQLException {
      try {
        int before = connection.getNetworkTimeout();
        if (before > 0 && before <= limitMillis) {
          return -1;
        }
        connection.setNetworkTimeout(Runnable::run, limitMillis);
        return before;
      } catch (SQLFeatureNotSupportedException | AbstractMethodError e) {
        return -1;
      }
    }

    private static void unlimit(Connection connection, int before) {
      if (before >= 0) {
        try {
          connection.setNetworkTimeout(Runnable::run, before);
        } catch (SQLException e) {
          // the connection is broken, and its pool detects that
        }
      }
    }
  }
}
