package dev.percolate.core;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes virtual threads where the JDK has them (21 and later), from bytecode that runs on 17 too.
 */
public final class VirtualThreads {

  private static final boolean AVAILABLE = Runtime.version().feature() >= 21;

  private VirtualThreads() {}

  /** Tells whether this JDK has virtual threads. */
  public static boolean available() {
    return AVAILABLE;
  }

  /**
   * Gives a factory of virtual threads, which are not started yet.
   *
   * @param prefix what the threads' names begin with, a running number follows; null for none
   * @throws IllegalStateException on a JDK before 21
   */
  public static ThreadFactory factory(@Nullable String prefix) {
    if (!AVAILABLE) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or later, this is " + Runtime.version().feature());
    }
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> api = Class.forName("java.lang.Thread$Builder");
      if (prefix != null) {
        Method name = api.getMethod("name", String.class, long.class);
        builder = name.invoke(builder, prefix, 0L);
      }
      return (ThreadFactory) api.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no factory of virtual threads", e);
    }
  }
}
