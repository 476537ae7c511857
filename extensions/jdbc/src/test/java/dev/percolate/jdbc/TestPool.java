package dev.percolate.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A pool that drops closed connections, and otherwise never checks its connections. */
final class TestPool implements DataSource {

  private static final int MANY = 1000;

  private final String url;
  private final boolean reuses;
  private final Semaphore places;
  private final Queue<Connection> free = new ConcurrentLinkedQueue<>();

  private TestPool(String url, boolean reuses, int most) {
    this.url = url;
    this.reuses = reuses;
    this.places = new Semaphore(most);
  }

  /** Creates a pool without a limit. */
  TestPool(String url) {
    this(url, true, MANY);
  }

  /** Creates a pool of a number of connections, which waits a second for a free one. */
  TestPool(String url, int most) {
    this(url, true, most);
  }

  /** Creates a source that opens a connection each time. */
  static DataSource none(String url) {
    return new TestPool(url, false, MANY);
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      if (!places.tryAcquire(1, TimeUnit.SECONDS)) {
        throw new SQLTransientConnectionException("no free connection", "08001");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException(e);
    }
    try {
      Connection known = free.poll();
      return pooled(known == null ? DriverManager.getConnection(url) : known);
    } catch (SQLException | RuntimeException e) {
      places.release();
      throw e;
    }
  }

  private Connection pooled(Connection open) {
    AtomicBoolean returned = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                if (returned.compareAndSet(false, true)) {
                  takeBack(open);
                }
                return null;
              }
              try {
                return method.invoke(open, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void takeBack(Connection open) throws SQLException {
    if (!reuses) {
      open.close();
    } else if (!open.isClosed()) {
      free.add(open);
    }
    places.release();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
