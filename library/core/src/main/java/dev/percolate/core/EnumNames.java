package dev.percolate.core;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The constants of an enum, by their names in Java and in JSON. An exact match has precedence over
 * other letter cases, and a name in Java over one in JSON.
 */
final class EnumNames {

  /** Found by name, because this module does not know JSON libraries. */
  private static final String PROPERTY = "com.fasterxml.jackson.annotation.JsonProperty";

  private final Map<String, Object> exact = new HashMap<>();
  private final Map<String, Object> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final List<String> written = new ArrayList<>();

  EnumNames(Object[] constants) {
    for (Object constant : constants) {
      add(((Enum<?>) constant).name(), constant);
    }
    for (Object constant : constants) {
      String json = json((Enum<?>) constant);
      written.add(json);
      add(json, constant);
    }
  }

  private void add(String name, Object constant) {
    exact.putIfAbsent(name, constant);
    anyCase.putIfAbsent(name, constant);
  }

  /** Returns the names as they are written to JSON. */
  List<String> written() {
    return written;
  }

  /**
   * Returns the constant with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  Object constant(String name) {
    Object found = exact.getOrDefault(name, anyCase.get(name));
    if (found == null) {
      throw new IllegalArgumentException();
    }
    return found;
  }

  private static String json(Enum<?> constant) {
    try {
      for (Annotation one :
          constant.getDeclaringClass().getField(constant.name()).getAnnotations()) {
        Class<?> type = one.annotationType();
        if (type.getName().equals(PROPERTY)) {
          String name = (String) type.getMethod("value").invoke(one);
          return name.isEmpty() ? constant.toString() : name;
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return constant.toString();
  }
}
