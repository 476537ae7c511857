package dev.percolate.core;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the path parameters of the route that matched: named ones by name, other captures by index.
 *
 * <p>It belongs to one request. Values are decoded texts, unless a parameter callback has put
 * something else in their place.
 */
public final class Params {

  private @Nullable Map<String, Object> values;

  /** Creates an empty set of parameters. */
  public Params() {}

  /**
   * Returns a parameter as text.
   *
   * @param name its name
   * @return the text; null if it is absent
   */
  public @Nullable String get(String name) {
    Object value = value(name);
    return value == null ? null : value.toString();
  }

  /**
   * Returns a capture without a name.
   *
   * @param index 0 for the first
   * @return the text; null if it took no part in the match
   */
  public @Nullable String get(int index) {
    return get(Integer.toString(index));
  }

  /**
   * Returns a parameter as what it is.
   *
   * @param name its name, or its index as text
   * @return the value; null if it is absent
   */
  public @Nullable Object value(String name) {
    return values == null ? null : values.get(name);
  }

  /**
   * Sets a parameter.
   *
   * @param name its name, or its index as text
   * @param value the value; null makes it absent
   */
  public void set(String name, @Nullable Object value) {
    if (value != null) {
      asMap().put(name, value);
    } else if (values != null) {
      values.remove(name);
    }
  }

  /** Returns all parameters, those without a name under their index; not a copy. */
  public Map<String, Object> asMap() {
    if (values == null) {
      values = new LinkedHashMap<>(4);
    }
    return values;
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
