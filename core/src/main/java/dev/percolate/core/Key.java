package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Names a setting or a request attribute, with the type of its value.
 *
 * <p>The name is the plain one: {@code app.set("json spaces", 2)} and {@code
 * app.get(Settings.JSON_SPACES)} meet in one cell. Keys of the same name are equal.
 *
 * @param <T> the type of the value
 */
public final class Key<T> {

  private final String name;
  private final Class<?> type;
  private final @Nullable T fallback;

  private Key(String name, Class<?> type, @Nullable T fallback) {
    this.name = name;
    this.type = type;
    this.fallback = fallback;
  }

  /**
   * Creates a key.
   *
   * @param name its name
   * @param type the class of its values
   * @param <T> that type
   */
  public static <T> Key<T> of(String name, Class<T> type) {
    return new Key<>(name, type, null);
  }

  /**
   * Creates a key whose value, where none was set, is the fallback.
   *
   * @param name its name
   * @param type the class of its values
   * @param fallback the value where none was set
   * @param <T> that type
   */
  public static <T> Key<T> of(String name, Class<T> type, T fallback) {
    return new Key<>(name, type, fallback);
  }

  /**
   * Creates a key for values of a type with arguments.
   *
   * @param name its name
   * @param type the type; values are checked for its class
   * @param <T> that type
   */
  public static <T> Key<T> of(String name, TypeRef<T> type) {
    return new Key<>(name, type.rawType(), null);
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the value where none was set, or null. */
  public @Nullable T fallback() {
    return fallback;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key<?> key && key.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }

  /** Returns a value as the key's type, or fails naming the key, the type and the value. */
  @SuppressWarnings("unchecked") // the class is checked; type arguments cannot be
  T cast(Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "\"" + name + "\": " + value + " is not of " + type.getName());
    }
    return (T) value;
  }
}
