package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.http.EditDistance;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final int MOST_WARNINGS = 100;

  /** The names of parameters for which this process has logged a warning. */
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  /**
   * Names and values alternate. Used until there are more than {@link #FEW}, or a map is requested.
   */
  private Object[] list = NOTHING;

  /** The number of used elements in the list. */
  private int end;

  /** The names in the path of the route; null if unknown. */
  private final @Nullable List<String> names;

  private @Nullable Map<String, Object> values;
  private @Nullable Settings settings;

  /** Creates an empty set of parameters. */
  public Params() {
    this.names = null;
  }

  /**
   * Creates an empty set of parameters for a route.
   *
   * @param names the names of all parameters in its path, also of optional ones
   */
  public Params(List<String> names) {
    this.names = names;
  }

  /**
   * Returns a parameter as a string.
   *
   * @param name its name
   * @return the string; null if it is absent
   */
  public @Nullable String get(String name) {
    Object value = value(name);
    if (value == null) {
      warnIfMisspelled(name);
      return null;
    }
    return value.toString();
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
   * @param type the type, such as {@code Long.class}; a primitive type means that the parameter is
   *     {@linkplain #required required}
   * @param <T> the type
   * @return the value; null if it is absent, or empty and the type is not {@code String}
   * @throws dev.percolate.http.HttpError 400 {@code value.invalid} if it cannot be converted
   */
  public <T> @Nullable T get(String name, Class<T> type) {
    if (type.isPrimitive()) {
      return required(name, type);
    }
    warnIfMisspelled(name);
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
    warnIfMisspelled(name);
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
   * @throws IllegalStateException if the path of the route has no parameter with this name, so that
   *     no client can send it
   */
  public <T> T required(String name, Class<T> type) {
    if (isUnknown(name)) {
      throw new IllegalStateException("params().required(\"" + name + "\", …): " + unknown(name));
    }
    return input().required(name, type);
  }

  /** Returns true if a parameter is absent, and the path of the route does not have it either. */
  private boolean isUnknown(String name) {
    return names != null
        && !names.contains(name)
        && value(name) == null
        && !name.chars().allMatch(Character::isDigit);
  }

  private String unknown(String name) {
    List<String> known = Objects.requireNonNullElse(names, List.of());
    String text = "the route has no parameter :" + name;
    return known.isEmpty() ? text : text + "; it has :" + String.join(", :", known);
  }

  /**
   * In development, logs a warning if a parameter is absent because its name is misspelled. Other
   * unknown names may be intended, in a handler of several routes.
   */
  private void warnIfMisspelled(String name) {
    if (settings == null || !isUnknown(name) || !settings.isDevelopment()) {
      return;
    }
    if (EditDistance.nearest(name, Objects.requireNonNull(names)) != null
        && WARNED.size() < MOST_WARNINGS
        && WARNED.add(names + name)) {
      String place = CallSite.of(new Throwable());
      LOG.log(Level.WARNING, "params().get(\"" + name + "\", …) " + place + ": " + unknown(name));
    }
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
