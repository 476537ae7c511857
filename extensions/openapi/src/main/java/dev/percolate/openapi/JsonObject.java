package dev.percolate.openapi;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates JSON objects. */
final class JsonObject {

  private JsonObject() {}

  /** Creates a map from alternating names and values, in this order. */
  static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  /** Adds an entry, unless its value is null, false or empty. */
  static void add(Map<String, Object> map, String name, @Nullable Object value) {
    boolean empty =
        (value instanceof Map<?, ?> inner && inner.isEmpty())
            || (value instanceof List<?> list && list.isEmpty());
    if (value != null && !value.equals(false) && !empty) {
      map.put(name, value);
    }
  }
}
