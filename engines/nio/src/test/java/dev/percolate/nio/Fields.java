package dev.percolate.nio;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Reads and sets private fields, to simulate faults of the JDK or the system. */
final class Fields {

  private Fields() {}

  static Object get(Object of, String name) throws ReflectiveOperationException {
    return field(of, name).get(of);
  }

  static void set(Object of, String name, @Nullable Object value)
      throws ReflectiveOperationException {
    field(of, name).set(of, value);
  }

  private static Field field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
