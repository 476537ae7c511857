package dev.percolate.checks;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Creates implementations of interfaces that fail in all that they are asked to do. */
final class Throwing {

  private Throwing() {}

  /** Returns an object each method of which raises the fault, but for those that say what it is. */
  static <T> T proxy(Class<T> type, Fault fault) {
    Object throwing =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> isSaying(method) ? said(method) : fault.raise());
    return type.cast(throwing);
  }

  private static boolean isSaying(Method method) {
    return method.getName().equals("waits") || method.getDeclaringClass() == Object.class;
  }

  private static Object said(Method method) {
    return switch (method.getName()) {
      case "waits" -> false; // so that it may be used on event loops
      case "hashCode" -> 1;
      case "equals" -> false;
      default -> "one that fails";
    };
  }
}
