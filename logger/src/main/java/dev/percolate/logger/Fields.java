package dev.percolate.logger;

import java.util.HashMap;
import java.util.Map;

/** Knows all tokens by name; lines in the making are not held up by a change. */
final class Fields {

  private static volatile Map<String, Field> known = StandardFields.all();

  private Fields() {}

  static Field find(String name) {
    Field field = known.get(name);
    if (field == null) {
      throw new IllegalArgumentException("there is no token :" + name);
    }
    return field;
  }

  static synchronized void define(String name, Field field) {
    Map<String, Field> changed = new HashMap<>(known);
    changed.put(name, field);
    known = changed;
  }

  static synchronized void reset() {
    known = StandardFields.all();
  }
}
