package dev.percolate.core;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The path parameters of the route that matched: named parameters by name, other captures by index.
 *
 * <p>Belongs to one request. Values are decoded strings, unless a parameter callback has replaced
 * them.
 */
public final class Params {

  /** The maximum number of parameters in the list. More parameters are stored in a map. */
  private static final int FEW = 4;

  private static final Object[] NOTHING = {};

  /**
   * Names and values alternate. Used until there are more than {@link #FEW}, or a map is requested.
   */
  private Object[] list = NOTHING;

  /** The number of used elements in the list. */
  private int end;

  private @Nullable Map<String, Object> values;
  private @Nullable Settings settings;

  /** Creates an empty set of parameters. */
  public Params() {}

  /**
   * Returns a parameter as a string.
   *
   * @param name its name
   * @return the string; null if it is absent
   */
  public @Nullable String get(String name) {
    Object value = value(name);
    return value == null ? null : value.toString();
  }

  /**
   * Returns a capture without a name.
   *
   * @param index 0 for the first
   * @return the string; null if the capture did not take part in the match
   */
  public @Nullable String get(int index) {
    return get(Integer.toString(index));
  }

  /**
   * Returns a parameter, converted to a type by the {@link Conversions} of the application.
   *
   * @param name its name, or its index as a string
   * @param type the type, such as {@code Long.class} or {@code long.class}
   * @param <T> the type
   * @return the value; null if it is absent, or empty and the type is not {@code String}
   * @throws dev.percolate.http.HttpError 400 {@code value.invalid} if it cannot be converted
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    return input().get(name, type);
  }

  /**
   * Returns a parameter, converted to a type, or a fallback if it is absent; see {@link
   * #get(String, Class)}.
   *
   * @param name its name, or its index as a string
   * @param type the type
   * @param fallback the fallback, a value of the type; for a numeric type, any number
   * @param <T> the type
   * @throws IllegalArgumentException if the fallback is not a value of the type
   */
  public <T> T get(String name, Class<T> type, Object fallback) {
    return input().get(name, type, fallback);
  }

  /**
   * Returns a required parameter, converted to a type; see {@link #get(String, Class)}.
   *
   * @param name its name, or its index as a string
   * @param type the type
   * @param <T> the type
   * @throws dev.percolate.http.HttpError 400 {@code value.missing} if it is absent, {@code
   *     value.invalid} if it cannot be converted
   */
  public <T> T required(String name, Class<T> type) {
    return input().required(name, type);
  }

  /** Sets the settings that contain the conversions. */
  void settings(Settings settings) {
    this.settings = settings;
  }

  private TypedInput input() {
    return new TypedInput(
        InputSource.PATH,
        asMap(),
        settings == null ? Conversions.standard() : settings.conversions());
  }

  /**
   * Returns a parameter without conversion.
   *
   * @param name its name, or its index as a string
   * @return the value; null if it is absent
   */
  public @Nullable Object value(String name) {
    if (values != null) {
      return values.get(name);
    }
    int at = place(name);
    return at < end ? list[at + 1] : null;
  }

  /**
   * Sets a parameter.
   *
   * @param name its name, or its index as a string
   * @param value the value; null removes the parameter
   */
  public void set(String name, @Nullable Object value) {
    if (value == null) {
      if (values != null || end > 0) {
        asMap().remove(name);
      }
      return;
    }
    int at = place(name);
    if (values != null || at == 2 * FEW) {
      asMap().put(name, value);
      return;
    }
    list = list.length == 0 ? new Object[2 * FEW] : list;
    list[at] = name;
    list[at + 1] = value;
    end = Math.max(end, at + 2);
  }

  /** Returns the mutable map of all parameters. Captures without a name have their index as key. */
  public Map<String, Object> asMap() {
    Map<String, Object> map = values;
    if (map == null) {
      map = new LinkedHashMap<>(4);
      for (int i = 0; i < end; i += 2) {
        map.put((String) list[i], list[i + 1]);
      }
      values = map;
      list = NOTHING;
      end = 0;
    }
    return map;
  }

  /** Returns the index of a name in the list; its end if the name is absent. */
  private int place(String name) {
    for (int i = 0; i < end; i += 2) {
      if (list[i].equals(name)) {
        return i;
      }
    }
    return end;
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
