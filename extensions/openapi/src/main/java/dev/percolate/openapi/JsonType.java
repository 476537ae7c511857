package dev.percolate.openapi;

import java.math.BigDecimal;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The types of JSON Schema, and its formats for strings and numbers. */
final class JsonType {

  private static final Map<String, Consumer<String>> FORMATS =
      Map.of(
          "uuid", JsonType::uuid,
          "uri", URI::create,
          "date", LocalDate::parse,
          "date-time", DateTimeFormatter.ISO_OFFSET_DATE_TIME::parse,
          "duration", Duration::parse);

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("string", "a string"),
          Map.entry("integer", "a whole number"),
          Map.entry("number", "a number"),
          Map.entry("boolean", "true or false"),
          Map.entry("array", "a list"),
          Map.entry("object", "an object"),
          Map.entry("null", "null"),
          Map.entry("int8", range(Byte.MIN_VALUE, Byte.MAX_VALUE)),
          Map.entry("int16", range(Short.MIN_VALUE, Short.MAX_VALUE)),
          Map.entry("int32", range(Integer.MIN_VALUE, Integer.MAX_VALUE)),
          Map.entry("int64", range(Long.MIN_VALUE, Long.MAX_VALUE)),
          Map.entry("char", "a single character"),
          Map.entry("uuid", "a UUID"),
          Map.entry("uri", "a URI"),
          Map.entry("email", "an email address such as ann@example.org"),
          Map.entry("date", "a date such as 2026-01-02"),
          Map.entry("date-time", "a time such as 2026-01-02T03:04:05Z"),
          Map.entry("duration", "a duration such as PT1H30M"));

  private JsonType() {}

  static boolean is(String type, @Nullable Object value) {
    return switch (type) {
      case "string" -> value instanceof String;
      case "integer" -> value instanceof Number number && isWhole(number);
      case "number" -> value instanceof Number;
      case "boolean" -> value instanceof Boolean;
      case "array" -> value instanceof List;
      case "object" -> value instanceof Map;
      case "null" -> value == null;
      default -> false;
    };
  }

  /** Returns the name of a type or format in messages. */
  static String nameOf(String word) {
    return WORDS.getOrDefault(word, word);
  }

  /** Returns true if a value has a format, or the format is unknown. */
  static boolean hasFormat(String format, @Nullable Object value) {
    if (value instanceof Number number) {
      return switch (format) {
        case "int8" -> isWithin(number, Byte.MIN_VALUE, Byte.MAX_VALUE);
        case "int16" -> isWithin(number, Short.MIN_VALUE, Short.MAX_VALUE);
        case "int32" -> isWithin(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case "int64" -> isWithin(number, Long.MIN_VALUE, Long.MAX_VALUE);
        default -> true;
      };
    }
    if (!(value instanceof String text)) {
      return true;
    }
    if (format.equals("char")) {
      return text.length() == 1;
    }
    if (format.equals("email")) {
      return text.indexOf('@') > 0 && !text.endsWith("@");
    }
    Consumer<String> parser = FORMATS.get(format);
    try {
      if (parser != null) {
        parser.accept(text);
      }
      return true;
    } catch (IllegalArgumentException | DateTimeException e) {
      return false;
    }
  }

  static BigDecimal exact(Number number) {
    return new BigDecimal(number.toString());
  }

  private static boolean isWhole(Number number) {
    if (number instanceof Double value) {
      return !value.isInfinite() && value == Math.rint(value);
    }
    return !(number instanceof BigDecimal decimal) || decimal.stripTrailingZeros().scale() <= 0;
  }

  private static boolean isWithin(Number number, long least, long most) {
    if (number instanceof Integer || number instanceof Long) {
      return number.longValue() >= least && number.longValue() <= most;
    }
    if (number instanceof Double value) {
      // The bounds of long are not exact as doubles; the parser rejects values just beyond them.
      return value >= (double) least && value <= (double) most;
    }
    BigDecimal exact = exact(number);
    return exact.compareTo(BigDecimal.valueOf(least)) >= 0
        && exact.compareTo(BigDecimal.valueOf(most)) <= 0;
  }

  private static void uuid(String text) {
    if (text.length() != 36 || !UUID.fromString(text).toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException();
    }
  }

  private static String range(long least, long most) {
    return "a whole number from " + least + " to " + most;
  }
}
