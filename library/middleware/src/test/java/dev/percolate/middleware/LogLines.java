package dev.percolate.middleware;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Collects the log lines of this module. Uses reflection, since the module does not require {@code
 * java.logging}.
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
      Object logger =
          type.getMethod("getLogger", String.class).invoke(null, "dev.percolate.middleware");
      ClassLoader loader = LogLines.class.getClassLoader();
      Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {filter}, handler);
      type.getMethod("setFilter", filter).invoke(logger, proxy);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("java.logging is not available", e);
    }
  }
}
