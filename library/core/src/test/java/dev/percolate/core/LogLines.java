package dev.percolate.core;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Captures the output of the platform logger, and keeps it off the console. Uses reflection,
 * because the module does not read {@code java.logging}.
 */
final class LogLines implements AutoCloseable {

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Object logger;
  private final Method setFilter;

  LogLines() {
    try {
      Class<?> type = Class.forName("java.util.logging.Logger");
      Class<?> filter = Class.forName("java.util.logging.Filter");
      Class<?> line = Class.forName("java.util.logging.LogRecord");
      logger = type.getMethod("getLogger", String.class).invoke(null, "dev.percolate");
      setFilter = type.getMethod("setFilter", filter);
      setFilter.invoke(
          logger,
          Proxy.newProxyInstance(
              LogLines.class.getClassLoader(),
              new Class<?>[] {filter},
              (proxy, method, arguments) -> {
                lines.add(
                    line.getMethod("getLevel").invoke(arguments[0])
                        + " "
                        + line.getMethod("getMessage").invoke(arguments[0]));
                return false;
              }));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no logging", e);
    }
  }

  /** Returns level and message of each entry. */
  List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    try {
      setFilter.invoke(logger, (Object) null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no logging", e);
    }
  }
}
