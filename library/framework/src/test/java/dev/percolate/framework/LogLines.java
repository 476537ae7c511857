package dev.percolate.framework;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the lines of the platform logger, by reflection: the module does not read its backend.
 */
final class LogLines implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();

  LogLines() {
    filter(
        (proxy, method, arguments) -> {
          Class<?> type = Class.forName("java.util.logging.LogRecord");
          Object level = type.getMethod("getLevel").invoke(arguments[0]);
          lines.add(level + " " + type.getMethod("getMessage").invoke(arguments[0]));
          return false;
        });
  }

  /** Returns the level and message of each line. */
  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    filter((proxy, method, arguments) -> true);
  }

  private static void filter(InvocationHandler handler) {
    try {
      Class<?> type = Class.forName("java.util.logging.Logger");
      Class<?> filter = Class.forName("java.util.logging.Filter");
      Object logger = type.getMethod("getLogger", String.class).invoke(null, "dev.percolate");
      ClassLoader loader = LogLines.class.getClassLoader();
      Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {filter}, handler);
      type.getMethod("setFilter", filter).invoke(logger, proxy);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no logging", e);
    }
  }
}
