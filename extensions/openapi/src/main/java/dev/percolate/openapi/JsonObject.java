package dev.percolate.openapi;

import java.util.LinkedHashMap;
import java.util.Map;

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
}
