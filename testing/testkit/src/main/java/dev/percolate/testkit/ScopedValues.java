package dev.percolate.testkit;

import java.lang.reflect.Method;

/** A scoped value of JDK 25, used by reflection because this class also runs on JDK 17. */
final class ScopedValues {

  private final Class<?> type;
  private final Object scoped;

  ScopedValues() throws ReflectiveOperationException {
    type = Class.forName("java.lang.ScopedValue");
    scoped = type.getMethod("newInstance").invoke(null);
  }

  void run(String value, Runnable inside) throws ReflectiveOperationException {
    Object carrier = type.getMethod("where", type, Object.class).invoke(null, scoped, value);
    Method run = Class.forName("java.lang.ScopedValue$Carrier").getMethod("run", Runnable.class);
    run.invoke(carrier, inside);
  }

  String value() throws ReflectiveOperationException {
    boolean bound = (Boolean) type.getMethod("isBound").invoke(scoped);
    return bound ? (String) type.getMethod("get").invoke(scoped) : "not bound";
  }
}
