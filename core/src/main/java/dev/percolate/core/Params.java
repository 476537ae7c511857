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

  /** How many parameters stand in a list; where there are more, all stand in a map. */
  private static final int FEW = 4;

  private static final Object[] NOTHING = {};

  /** Names and values in turn, as long as they are few and nobody has asked for a map of them. */
  private Object[] list = NOTHING;

  /** Where the list ends. */
  private int end;

  private @Nullable Map<String, Object> values;
  private @Nullable Settings settings;

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
   * Returns a parameter as a value of a type, by the {@link Conversions} of the application.
   *
   * @param name its name, or its index as text
   * @param type the type, such as {@code Long.class} or {@code long.class}
   * @param <T> the type
   * @return the value; null if it is absent, or empty and no text is wanted
   * @throws dev.percolate.http.HttpError 400 {@code value.invalid} if it does not fit
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    return input().get(name, type);
  }

  /**
   * Returns a parameter as a value of a type, or another value; see {@link #get(String, Class)}.
   *
   * @param name its name, or its index as text
   * @param type the type
   * @param fallback what to give if it is absent: a value of that type, or any number for a number
   * @param <T> the type
   * @throws IllegalArgumentException if the fallback is none of that type
   */
  public <T> T get(String name, Class<T> type, Object fallback) {
    return input().get(name, type, fallback);
  }

  /**
   * Returns a parameter that must be there as a value of a type; see {@link #get(String, Class)}.
   *
   * @param name its name, or its index as text
   * @param type the type
   * @param <T> the type
   * @throws dev.percolate.http.HttpError 400 {@code value.missing} if it is absent, {@code
   *     value.invalid} if it does not fit
   */
  public <T> T required(String name, Class<T> type) {
    return input().required(name, type);
  }

  /** Takes the settings that know how texts become values. */
  void settings(Settings settings) {
    this.settings = settings;
  }

  private TypedInput input() {
    return new TypedInput(
        InputKind.PATH,
        asMap(),
        settings == null ? Conversions.standard() : settings.conversions());
  }

  /**
   * Returns a parameter as what it is.
   *
   * @param name its name, or its index as text
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
   * @param name its name, or its index as text
   * @param value the value; null makes it absent
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

  /** Returns all parameters, those without a name under their index; not a copy. */
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

  /** Returns where a name stands in the list; its end if it does not. */
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
