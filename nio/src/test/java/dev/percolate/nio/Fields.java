package dev.percolate.nio;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Reaches what only an accident of the machine could change. */
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
