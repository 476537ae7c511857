package dev.percolate.json;

import dev.percolate.core.FormFile;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.jsontype.TypeIdResolver;

/** Describes what a type expects, in terms of JSON, without the value that the client sent. */
final class Expectation {

  private static final int MOST_NAMES = 20;

  private static final Map<Class<?>, String> WORDS =
      Map.ofEntries(
          Map.entry(byte.class, range(Byte.MIN_VALUE, Byte.MAX_VALUE)),
          Map.entry(short.class, range(Short.MIN_VALUE, Short.MAX_VALUE)),
          Map.entry(int.class, range(Integer.MIN_VALUE, Integer.MAX_VALUE)),
          Map.entry(long.class, range(Long.MIN_VALUE, Long.MAX_VALUE)),
          Map.entry(java.math.BigInteger.class, "a whole number"),
          Map.entry(boolean.class, "true or false"),
          Map.entry(char.class, "a single character"),
          Map.entry(byte[].class, "a string in base64"),
          Map.entry(char[].class, "a string"),
          Map.entry(UUID.class, "a UUID"),
          Map.entry(URI.class, "a URI"),
          Map.entry(URL.class, "a URI"),
          Map.entry(Period.class, "a period such as P1M"),
          Map.entry(Instant.class, "a time such as 2026-01-02T03:04:05Z"),
          Map.entry(OffsetDateTime.class, "a time such as 2026-01-02T03:04:05Z"),
          Map.entry(ZonedDateTime.class, "a time such as 2026-01-02T03:04:05Z"),
          Map.entry(Date.class, "a time such as 2026-01-02T03:04:05Z"),
          Map.entry(LocalDateTime.class, "a time such as 2026-01-02T03:04:05"),
          Map.entry(LocalDate.class, "a date such as 2026-01-02"),
          Map.entry(LocalTime.class, "a time of day such as 03:04:05"),
          Map.entry(Duration.class, "a duration such as PT1H30M"));

  private Expectation() {}

  /** Returns what was expected; null if unknown. */
  static @Nullable String of(JacksonException failure, Function<Object, @Nullable Object> written) {
    Class<?> type = null;
    if (failure instanceof MismatchedInputException mismatch) {
      type = mismatch.getTargetType();
    } else if (failure instanceof InputCoercionException coercion) {
      type = coercion.getTargetType();
    }
    return type == null ? null : of(type, written);
  }

  /** Returns what a type expects; null if unknown. */
  static @Nullable String of(Class<?> type, Function<Object, @Nullable Object> written) {
    Class<?> plain = java.lang.invoke.MethodType.methodType(type).unwrap().returnType();
    String word = WORDS.get(plain);
    if (word != null) {
      return word;
    }
    if (Number.class.isAssignableFrom(type) || plain.isPrimitive()) {
      return "a number";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "a string";
    }
    if (FormFile.class.isAssignableFrom(type)) {
      return "an uploaded file";
    }
    if (type.isArray() || Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (type.isRecord() || Map.class.isAssignableFrom(type)) {
      return "an object";
    }
    return type.isEnum() ? names(type.getEnumConstants(), written) : null;
  }

  /** Returns the names of the types that a value may have; null if there are none or too many. */
  static @Nullable String ofTypeNames(TypeIdResolver resolver) {
    String known = String.valueOf(resolver.getDescForKnownTypeIds());
    boolean list = known.startsWith("[") && known.endsWith("]") && known.length() > 2;
    String names = list ? known.substring(1, known.length() - 1) : "";
    int count = names.split(",", -1).length;
    return names.isEmpty() || count > MOST_NAMES ? null : count == 1 ? names : "one of " + names;
  }

  /** Lists the constants of an enum by their names in JSON. */
  private static @Nullable String names(
      Object[] constants, Function<Object, @Nullable Object> written) {
    return constants.length == 0 || constants.length > MOST_NAMES
        ? null
        : Arrays.stream(constants)
            .map(constant -> String.valueOf(written.apply(constant)))
            .collect(Collectors.joining(", ", "one of ", ""));
  }

  private static String range(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }
}
