package dev.percolate.checks;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Creates implementations of interfaces whose methods all fail. */
final class Throwing {

  private Throwing() {}

  /** Returns an object whose methods all throw the fault, except those that describe it. */
  static <T> T proxy(Class<T> type, Fault fault) {
    Object throwing =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> isSaying(method) ? said(method) : fault.raise());
    return type.cast(throwing);
  }

  private static boolean isSaying(Method method) {
    return method.getName().equals("isBlocking") || method.getDeclaringClass() == Object.class;
  }

  private static Object said(Method method) {
    return switch (method.getName()) {
      case "isBlocking" -> false; // so that event loops accept it
      case "hashCode" -> 1;
      case "equals" -> false;
      default -> "a failing implementation";
    };
  }
}
