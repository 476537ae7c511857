package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.middleware.Session;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Treats Java values as JavaScript does. */
final class ScriptValues {

  /** Distinguished from null. */
  static final Object UNDEFINED = JsonCodec.ABSENT;

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private ScriptValues() {}

  @SuppressWarnings("unchecked") // scenarios are JSON
  static Map<String, @Nullable Object> map(@Nullable Object value) {
    return (Map<String, @Nullable Object>) orUndefined(value);
  }

  @SuppressWarnings("unchecked") // scenarios are JSON
  static List<@Nullable Object> list(@Nullable Object value) {
    return (List<@Nullable Object>) orUndefined(value);
  }

  @SuppressWarnings("unchecked") // attributes hold no null, and their maps are read only
  static Map<String, Object> attribute(@Nullable Object value) {
    return (Map<String, Object>) ScriptValues.orUndefined(value);
  }

  static boolean isAbsent(@Nullable Object value) {
    return value == null || value == UNDEFINED;
  }

  static @Nullable Object orNull(@Nullable Object value) {
    return value == UNDEFINED ? null : value;
  }

  static Object orUndefined(@Nullable Object value) {
    return value == null ? UNDEFINED : value;
  }

  static boolean isTrue(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue() != 0 && !Double.isNaN(number.doubleValue());
    }
    return value != null && value != UNDEFINED && !value.equals(false) && !value.equals("");
  }

  static boolean same(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return x.doubleValue() == y.doubleValue();
    }
    return (a instanceof String || a instanceof Boolean) ? a.equals(b) : a == b;
  }

  /** Converts a value to text as JavaScript does. */
  static String text(@Nullable Object value) {
    if (value == UNDEFINED) {
      return "undefined";
    } else if (value instanceof Number) {
      return JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT);
    } else if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    } else if (value instanceof List<?> list) {
      return list.stream().map(x -> isAbsent(x) ? "" : text(x)).collect(Collectors.joining(","));
    } else if (value instanceof Map
        || value instanceof Session
        || value instanceof Request
        || value instanceof Response) {
      return "[object Object]";
    } else if (value instanceof Throwable error) {
      return "Error: " + OriginalTexts.of(error);
    } else if (value instanceof Pattern pattern) {
      return "/" + pattern + "/";
    }
    return value instanceof Instant time ? ISO.format(time) : String.valueOf(value);
  }
}
