package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts strings from clients to Java types: path parameters, query parameters and form fields.
 *
 * <pre>
 *   byte … long, BigInteger     digits, with an optional minus sign, in the range of the type
 *   float, double, BigDecimal   the same, with an optional fraction and exponent
 *   boolean                     true, on, 1; false, off, 0
 *   String, char                unchanged
 *   enums                       the name of a constant in Java or JSON, in any letter case
 *   UUID, URI                   RFC 9562, 36 characters; RFC 2396
 *   java.time                   ISO 8601; time zones by name
 * </pre>
 *
 * <p>Primitive types are converted like their wrapper classes. Numbers have at most 1000 characters
 * and an exponent of at most 1000. An application can add or replace conversions; mounted
 * applications inherit them:
 *
 * <pre>{@code
 * app.set(Conversions.SETTING, Conversions.standard()
 *     .with(Money.class, "an amount such as 3.50 EUR", Money::parse));
 * app.get("/items", (req, res) -> res.json(items.below(req.query("price", Money.class))));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Conversions {

  /** The conversions of an application. Default: {@link #standard}. */
  public static final Key<Conversions> SETTING = Key.of("conversions", Conversions.class);

  /** The conversions of enums, created on first use. */
  private static final ClassValue<Conversion> ENUMS =
      new ClassValue<>() {
        @Override
        protected Conversion computeValue(Class<?> type) {
          return ofEnum(type.getEnumConstants());
        }
      };

  private static final Conversions STANDARD = new Conversions(StandardConversions.all());
  private static final int MOST_NAMES = 20;

  private final Map<Class<?>, Conversion> byType;

  /** The readers of records, by class and type. */
  private final ClassValue<Map<Type, InputType>> records =
      new ClassValue<>() {
        @Override
        protected Map<Type, InputType> computeValue(Class<?> raw) {
          return new ConcurrentHashMap<>();
        }
      };

  private Conversions(Map<Class<?>, Conversion> byType) {
    this.byType = byType;
  }

  /** Returns the standard conversions, as listed above. */
  public static Conversions standard() {
    return STANDARD;
  }

  /**
   * Adds or replaces the conversion of a type.
   *
   * @param type the exact type
   * @param wanted a description of valid strings, for clients, such as {@code an amount such as
   *     3.50 EUR}
   * @param reading converts a string; rejects it with an {@link IllegalArgumentException}, a {@link
   *     DateTimeException} or an {@link HttpError}
   * @param <T> the type
   * @return a changed copy
   */
  public <T> Conversions with(Class<T> type, String wanted, Function<String, ? extends T> reading) {
    Objects.requireNonNull(reading, "with(" + type.getName() + ", …): reading must not be null");
    Map<Class<?>, Conversion> copy = new HashMap<>(byType);
    copy.put(boxed(type), new Conversion(wanted, reading));
    return new Conversions(copy);
  }

  /**
   * Returns the reader of a class.
   *
   * @throws IllegalArgumentException if the class has no conversion
   */
  TextType text(Class<?> type) {
    return new TextType(conversion(type), type == String.class);
  }

  /**
   * Checks whether a string can be converted to a type.
   *
   * @param text the string
   * @param type the type
   * @return a description of valid strings, for clients; null if the string is valid
   * @throws IllegalArgumentException if the type has no conversion
   */
  public @Nullable String validate(String text, Class<?> type) {
    Conversion conversion = conversion(type);
    try {
      Object ignored = conversion.reading().apply(text);
      return null;
    } catch (IllegalArgumentException | DateTimeException | HttpError e) {
      return conversion.wanted();
    }
  }

  /**
   * Returns a fallback as a value of the given type. A number is converted to another number type.
   *
   * @throws IllegalArgumentException if the fallback has another type
   */
  <T> T fallback(Object value, Class<T> type) {
    Class<?> boxed = boxed(type);
    if (boxed.isInstance(value)) {
      return cast(value);
    }
    if (value instanceof Number && Number.class.isAssignableFrom(boxed)) {
      return cast(conversion(type).reading().apply(value.toString()));
    }
    throw new IllegalArgumentException(
        "fallback " + value + " must be of type " + boxed.getSimpleName());
  }

  /**
   * Returns the reader of a record or of another type with components, created on first use.
   *
   * @param type the type, with its type arguments
   * @param raw its class
   * @throws IllegalArgumentException if a component has no conversion
   */
  InputType records(Type type, Class<?> raw) {
    return records.get(raw).computeIfAbsent(type, one -> InputTypes.of(one, this::known));
  }

  private Conversion conversion(Class<?> type) {
    Conversion known = known(type);
    if (known == null) {
      throw new IllegalArgumentException(
          type.getName() + " has no conversion from text; add one with Conversions.SETTING");
    }
    return known;
  }

  private @Nullable Conversion known(Class<?> type) {
    Conversion known = byType.get(boxed(type));
    return known == null && type.isEnum() ? ENUMS.get(type) : known;
  }

  private static Conversion ofEnum(Object[] constants) {
    EnumNames names = new EnumNames(constants);
    String shown = names.written().stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    String more = constants.length > MOST_NAMES ? ", …" : "";
    return new Conversion("one of " + shown + more, names::constant);
  }

  private static Class<?> boxed(Class<?> type) {
    return type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Class.cast takes no primitive
  static <T> T cast(Object value) {
    return (T) value;
  }
}
