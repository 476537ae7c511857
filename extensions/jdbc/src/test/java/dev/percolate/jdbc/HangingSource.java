package dev.percolate.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Returns connections of another source, and can hang like a driver whose server has stopped. */
final class HangingSource implements DataSource {

  /** The operation that hangs. */
  enum Place {
    NOTHING,
    CONNECTING,
    STATEMENTS
  }

  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger aborted = new AtomicInteger();
  final AtomicInteger limits = new AtomicInteger();
  private final DataSource source;
  private volatile Place place = Place.NOTHING;
  private volatile CountDownLatch released = new CountDownLatch(0);

  HangingSource(DataSource source) {
    this.source = source;
  }

  void hang(Place where) {
    released = new CountDownLatch(1);
    place = where;
  }

  void goOn() {
    place = Place.NOTHING;
    released.countDown();
  }

  @Override
  public Connection getConnection() throws SQLException {
    asked.incrementAndGet();
    if (place == Place.CONNECTING) {
      hang();
    }
    Connection connection = source.getConnection();
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          switch (method.getName()) {
            case "abort" -> aborted.incrementAndGet();
            case "setNetworkTimeout" -> limits.incrementAndGet();
            case "close" -> {
              connection.close();
              closed.incrementAndGet();
            }
            case "prepareStatement" -> {
              return statement(connection.prepareStatement((String) arguments[0]));
            }
            default -> {
              return call(connection, method, arguments);
            }
          }
          return null;
        });
  }

  private PreparedStatement statement(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) -> {
          if (place == Place.STATEMENTS && method.getName().startsWith("execute")) {
            hang();
          }
          return call(statement, method, arguments);
        });
  }

  /** Hangs even if the thread is interrupted, as reading from a socket does. */
  private void hang() {
    boolean interrupted = false;
    while (true) {
      try {
        released.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static Object call(Object on, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return source.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    source.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    source.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return source.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return source.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return source.isWrapperFor(type);
  }
}
