package dev.percolate.inspector;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool call, checked against the input schema of the tool. Messages are for
 * coding agents: they name the argument, the rule and the value.
 */
final class McpArguments {

  /** The maximum number of characters of a value in a message. */
  private static final int LONGEST = 200;

  private final Map<?, ?> values;

  private McpArguments(Map<?, ?> values) {
    this.values = values;
  }

  /**
   * Checks arguments.
   *
   * @param schema the input schema
   * @param given the arguments as received; null for none
   * @throws IllegalArgumentException if an argument is missing, unknown or invalid
   */
  static McpArguments of(@Nullable Object schema, @Nullable Object given) {
    Map<?, ?> properties = map(map(schema).get("properties"));
    if (given != null && !(given instanceof Map<?, ?>)) {
      throw new IllegalArgumentException("arguments must be an object, was " + given);
    }
    Map<?, ?> values = map(given);
    for (Object name : values.keySet()) {
      if (!properties.containsKey(name)) {
        String known = properties.isEmpty() ? "none" : String.valueOf(properties.keySet());
        throw new IllegalArgumentException(
            "unknown argument \"" + name + "\"; the arguments are " + known);
      }
    }
    if (map(schema).get("required") instanceof List<?> required) {
      required.forEach(name -> checkGiven(name, values, map(properties.get(name))));
    }
    values.forEach((name, value) -> check(name, value, map(properties.get(name))));
    return new McpArguments(values);
  }

  private static void checkGiven(Object name, Map<?, ?> values, Map<?, ?> schema) {
    if (values.get(name) == null) {
      throw new IllegalArgumentException(
          "argument \"" + name + "\" is missing: " + schema.get("description"));
    }
  }

  private static void check(Object name, @Nullable Object value, Map<?, ?> schema) {
    String type = String.valueOf(schema.get("type"));
    boolean fits =
        value == null
            || switch (type) {
              case "string" -> value instanceof String;
              case "boolean" -> value instanceof Boolean;
              case "object" -> isTexts(value);
              default -> isWhole(value) && isWithin((Number) value, schema);
            };
    if (!fits) {
      String was = ShortText.cut(String.valueOf(value), LONGEST);
      throw new IllegalArgumentException(
          "argument \"" + name + "\" must be " + rule(type, schema) + ", was " + was);
    }
  }

  private static String rule(String type, Map<?, ?> schema) {
    return switch (type) {
      case "object" -> "an object whose values are strings";
      case "integer" ->
          "an integer from " + limit(schema, "minimum") + " to " + limit(schema, "maximum");
      default -> "a " + type;
    };
  }

  private static boolean isTexts(Object value) {
    return value instanceof Map<?, ?> map
        && map.values().stream().allMatch(String.class::isInstance);
  }

  private static boolean isWhole(Object value) {
    return value instanceof Number number
        && new BigDecimal(number.toString()).stripTrailingZeros().scale() <= 0;
  }

  private static boolean isWithin(Number value, Map<?, ?> schema) {
    double number = value.doubleValue();
    return number >= limit(schema, "minimum") && number <= limit(schema, "maximum");
  }

  private static long limit(Map<?, ?> schema, String name) {
    return schema.get(name) instanceof Number limit ? limit.longValue() : Integer.MAX_VALUE;
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }

  /** Returns a text; empty if it is absent. */
  String text(String name) {
    return values.get(name) instanceof String text ? text : "";
  }

  long number(String name, long defaultValue) {
    return values.get(name) instanceof Number number ? number.longValue() : defaultValue;
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(values.get(name));
  }

  /** Returns the texts of an object by name. */
  Map<?, ?> texts(String name) {
    return map(values.get(name));
  }
}
