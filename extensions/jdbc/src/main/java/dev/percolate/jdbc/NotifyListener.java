package dev.percolate.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Listens to the notifications of PostgreSQL on a connection of its own. A query every two seconds
 * detects a connection that is lost without a signal. An instance is used once.
 *
 * <p>The driver is used by reflection, since applications with other databases do not have it.
 */
final class NotifyListener {

  /** The channel of all topics. A notification contains only the key of a topic. */
  static final String CHANNEL = "percolate";

  private static final int WAIT_MILLIS = 1000;
  private static final int TIMEOUT_MILLIS = 2000;
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The time without a response after which a connection is stuck, such as while connecting. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final DataSource source;
  private final Runnable connected;
  private final Consumer<String> notified;
  private volatile long alive = System.nanoTime();
  private volatile @Nullable Connection open;
  private volatile boolean ended; // stops before the next notification

  /**
   * Creates a listener.
   *
   * @param source the source of the connection
   * @param connected called when notifications arrive from now on
   * @param notified called with the key of each topic that has a new message
   */
  NotifyListener(DataSource source, Runnable connected, Consumer<String> notified) {
    this.source = source;
    this.connected = connected;
    this.notified = notified;
  }

  /**
   * Listens until the connection fails or {@link #end} is called.
   *
   * @return false if the database has no notifications
   */
  boolean run() throws SQLException {
    try (Connection connection = DatabaseTask.connect(source)) {
      if (!Statements.isPostgres(connection)) {
        return false;
      }
      open = connection;
      if (ended) {
        return true; // it was replaced while it waited for the connection
      }
      try {
        listen(connection);
      } finally {
        abort(connection); // the pool must not lend a connection that listens
      }
      return true;
    }
  }

  /** Returns true if the connection has not responded for too long. */
  boolean isStuck() {
    return System.nanoTime() - alive > STUCK_NANOS;
  }

  /** Stops listening. Does not wait. */
  void end() {
    ended = true;
    Connection connection = open;
    if (connection != null) {
      DatabaseCircuitBreaker.THREADS.execute(() -> abort(connection));
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      // the connection is broken already
    }
  }

  private void listen(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
    execute(connection, "listen " + CHANNEL);
    connected.run();
    long heartbeat = System.nanoTime();
    while (!ended) {
      for (String topic : notifications(connection)) {
        notified.accept(topic);
      }
      if (System.nanoTime() - heartbeat > HEARTBEAT_NANOS) {
        execute(connection, "select 1");
        heartbeat = System.nanoTime();
      }
      alive = System.nanoTime();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean ignored = statement.execute(sql);
    }
  }

  /** Waits up to a second, and returns the contents of the notifications that have arrived. */
  private static String[] notifications(Connection connection) throws SQLException {
    ClassLoader driver = connection.unwrap(Connection.class).getClass().getClassLoader();
    try {
      Class<?> type = Class.forName("org.postgresql.PGConnection", false, driver);
      Method wait = type.getMethod("getNotifications", int.class);
      Class<?> notification = Class.forName("org.postgresql.PGNotification", false, driver);
      Method content = notification.getMethod("getParameter");
      Object arrived = wait.invoke(connection.unwrap(type), WAIT_MILLIS);
      Object[] all = arrived instanceof Object[] some ? some : new Object[0];
      String[] contents = new String[all.length];
      for (int i = 0; i < all.length; i++) {
        contents[i] = String.valueOf(content.invoke(all[i]));
      }
      return contents;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException failure
          ? failure
          : new SQLException("the driver cannot wait for notifications", e);
    } catch (ReflectiveOperationException e) {
      throw new SQLException("the driver has no notifications", e);
    }
  }
}
