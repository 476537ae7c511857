package dev.percolate.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of one kind of client input by name and type.
 *
 * @param kind the kind of input
 * @param values the values by name: strings, lists and maps
 * @param conversions the conversions from strings
 */
record TypedInput(InputSource kind, Map<?, ?> values, Conversions conversions) {

  /**
   * Returns a value, the first if there are several; null if it is absent, or empty and the type is
   * not {@code String}. A primitive type has no null, so its value is required.
   */
  <T> @Nullable T get(String name, Class<T> type) {
    return type.isPrimitive() ? required(name, type) : find(name, type);
  }

  /** Returns a value, the first if there are several; the fallback if it is absent. */
  <T> T get(String name, Class<T> type, Object fallback) {
    T otherwise = conversions.fallback(fallback, type);
    T value = find(name, type);
    return value == null ? otherwise : value;
  }

  /** Returns a required value, the first if there are several. */
  <T> T required(String name, Class<T> type) {
    T value = find(name, type);
    if (value == null) {
      InputErrors fault = fault();
      fault.missing(name);
      throw fault.single();
    }
    return value;
  }

  private <T> @Nullable T find(String name, Class<T> type) {
    return converted(name, first(values.get(name)), type);
  }

  /** Returns all values of a name, without empty ones unless the type is {@code String}. */
  <T> List<T> all(String name, Class<T> type) {
    Object value = values.get(name);
    List<T> all = new ArrayList<>();
    for (Object one : value instanceof List<?> list ? list : Stream.ofNullable(value).toList()) {
      T converted = converted(name, one, type);
      if (converted != null) {
        all.add(converted);
      }
    }
    return all;
  }

  private <T> @Nullable T converted(String name, @Nullable Object value, Class<T> type) {
    if (value == null) {
      return null;
    }
    boolean structured = value instanceof Map || value instanceof List;
    if (!structured && !(value instanceof String) && type.isInstance(value)) {
      return type.cast(value); // set by a parameter callback of the application
    }
    InputErrors fault = fault();
    Object sent = structured ? value : value.toString();
    Object converted = conversions.text(type).readOne(sent, InputPath.WHOLE.to(name), fault);
    if (!fault.isEmpty()) {
      throw fault.single();
    }
    return converted == null ? null : Conversions.cast(converted);
  }

  private InputErrors fault() {
    return new InputErrors(kind, () -> false, false);
  }

  private static @Nullable Object first(@Nullable Object value) {
    return value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
  }
}
