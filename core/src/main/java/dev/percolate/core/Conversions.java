package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns texts that clients send to values of types: parameters of paths and queries, and fields of
 * forms.
 *
 * <pre>
 *   byte … long, BigInteger     digits, perhaps behind a minus sign; what fits the type
 *   float, double, BigDecimal   such numbers, perhaps with a fraction and an exponent
 *   boolean                     true, on, 1; false, off, 0
 *   String, char                as it is
 *   enums                       the name of a constant, in any letter case
 *   UUID, URI                   RFC 9562, 36 characters; RFC 2396
 *   java.time                   ISO 8601; zones by their name
 * </pre>
 *
 * <p>Primitives count as their classes do. Numbers have 1000 characters at most, and exponents of
 * 1000. An application adds its own types, or changes these; those mounted on it have them too:
 *
 * <pre>{@code
 * app.set(Conversions.SETTING, Conversions.standard()
 *     .with(Money.class, "an amount such as 3.50 EUR", Money::parse));
 * app.get("/items", (req, res) -> res.json(items.below(req.query("price", Money.class))));
 * }</pre>
 *
 * <p>It never changes, and may be shared by all threads.
 */
public final class Conversions {

  /** The conversions of an application; the {@linkplain #standard standard} ones if unset. */
  public static final Key<Conversions> SETTING = Key.of("conversions", Conversions.class);

  /** Those of enums, made when they are needed first. */
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

  /** What reads records, by their class and their types. */
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

  /** Returns the conversions of the table above. */
  public static Conversions standard() {
    return STANDARD;
  }

  /**
   * Adds a type, or changes how it is read.
   *
   * @param type the type, exactly the one that will be asked for
   * @param wanted what clients are told that they should have sent, such as {@code an amount such
   *     as 3.50 EUR}
   * @param reading gives the value of a text; it refuses one by an {@link
   *     IllegalArgumentException}, a {@link DateTimeException} or an {@link HttpError}
   * @param <T> the type
   * @return a copy with it
   */
  public <T> Conversions with(Class<T> type, String wanted, Function<String, ? extends T> reading) {
    Objects.requireNonNull(reading, "with(" + type.getName() + ", …, null)");
    Map<Class<?>, Conversion> copy = new HashMap<>(byType);
    copy.put(boxed(type), new Conversion(wanted, reading));
    return new Conversions(copy);
  }

  /**
   * Returns what reads a class from text.
   *
   * @throws IllegalArgumentException if it has no conversion
   */
  TextType text(Class<?> type) {
    return new TextType(conversion(type), type == String.class);
  }

  /**
   * Tells what is wanted where a text does not fit a type.
   *
   * @param text the text
   * @param type the type
   * @return what clients are told that they should have sent; null if the text fits
   * @throws IllegalArgumentException if there is no conversion for the type
   */
  public @Nullable String misfit(String text, Class<?> type) {
    Conversion conversion = conversion(type);
    try {
      Object ignored = conversion.reading().apply(text);
      return null;
    } catch (IllegalArgumentException | DateTimeException | HttpError e) {
      return conversion.wanted();
    }
  }

  /**
   * Returns a fallback as its type: any number stands for a number of the same value.
   *
   * @throws IllegalArgumentException if it is none of that type
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
        "fallback " + value + ": no " + boxed.getSimpleName() + ", as was asked for");
  }

  /**
   * Returns what reads a record, or the like; made when it is needed first.
   *
   * @param type the type, with its arguments
   * @param raw its class
   * @throws IllegalArgumentException if it has parts without conversion
   */
  InputType records(Type type, Class<?> raw) {
    return records.get(raw).computeIfAbsent(type, one -> InputTypes.of(one, this::known));
  }

  private Conversion conversion(Class<?> type) {
    Conversion known = known(type);
    if (known == null) {
      throw new IllegalArgumentException(
          type.getName() + ": no conversion from text; Conversions.SETTING can add one");
    }
    return known;
  }

  private @Nullable Conversion known(Class<?> type) {
    Conversion known = byType.get(boxed(type));
    return known == null && type.isEnum() ? ENUMS.get(type) : known;
  }

  private static Conversion ofEnum(Object[] constants) {
    String names =
        Arrays.stream(constants)
            .limit(MOST_NAMES)
            .map(one -> ((Enum<?>) one).name())
            .collect(Collectors.joining(", "));
    String more = constants.length > MOST_NAMES ? ", …" : "";
    return new Conversion("one of " + names + more, text -> constant(constants, text));
  }

  private static Object constant(Object[] constants, String text) {
    Object found = null;
    for (Object one : constants) {
      String name = ((Enum<?>) one).name();
      if (name.equals(text)) {
        return one; // before those that differ by letter case
      }
      if (found == null && name.equalsIgnoreCase(text)) {
        found = one;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException();
    }
    return found;
  }

  private static Class<?> boxed(Class<?> type) {
    return type.isPrimitive() ? MethodType.methodType(type).wrap().returnType() : type;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Class.cast takes no primitive
  private static <T> T cast(Object value) {
    return (T) value;
  }
}
