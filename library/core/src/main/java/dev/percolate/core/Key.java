package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * The name of a setting or request attribute, with the type of its value.
 *
 * <p>Keys with the same name are equal. They refer to the same value as the name alone: {@code
 * app.set("json spaces", 2)} sets the value that {@code app.get(Settings.JSON_SPACES)} returns.
 *
 * @param <T> the type of the value
 */
public final class Key<T> {

  private final String name;
  private final Class<?> type;
  private final @Nullable T defaultValue;
  private final @Nullable String provider;

  private Key(String name, Class<?> type, @Nullable T defaultValue, @Nullable String provider) {
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.provider = provider;
  }

  /**
   * Creates a key.
   *
   * @param name the name
   * @param type the class of the values
   * @param <T> the type of the values
   */
  public static <T> Key<T> of(String name, Class<T> type) {
    return new Key<>(name, type, null, null);
  }

  /**
   * Creates a key with a default value.
   *
   * @param name the name
   * @param type the class of the values
   * @param defaultValue the value if none was set
   * @param <T> the type of the values
   */
  public static <T> Key<T> of(String name, Class<T> type, T defaultValue) {
    return new Key<>(name, type, defaultValue, null);
  }

  /**
   * Creates a key for values of a generic type.
   *
   * @param name the name
   * @param type the type; only the class of values is checked
   * @param <T> the type of the values
   */
  public static <T> Key<T> of(String name, TypeRef<T> type) {
    return new Key<>(name, type.rawType(), null, null);
  }

  /**
   * Returns a copy that names the code which provides the value. If a request attribute is absent,
   * the error message contains it.
   *
   * <pre>{@code
   * static final Key<User> USER = Key.of("visitor", User.class).providedBy("app.use(new Login())");
   * }</pre>
   *
   * @param code the line that an application has to add, without a semicolon
   */
  public Key<T> providedBy(String code) {
    return new Key<>(name, type, defaultValue, code);
  }

  /** Returns the name. */
  public String name() {
    return name;
  }

  /** Returns the value to use if none was set, or null. */
  public @Nullable T defaultValue() {
    return defaultValue;
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

  /** Returns the error message for a request without this attribute. */
  String absent() {
    return provider == null
        ? "attribute \""
            + name
            + "\" is not set; add the middleware that sets it before this handler"
        : "No " + name + " on this request. Add " + provider + " before this handler.";
  }

  /**
   * Casts a value to the type of this key. If that fails, the message names key, value and type.
   */
  @SuppressWarnings("unchecked") // the class is checked; type arguments cannot be
  T cast(Object value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "\"" + name + "\": " + value + " is not of type " + type.getName());
    }
    return (T) value;
  }
}
