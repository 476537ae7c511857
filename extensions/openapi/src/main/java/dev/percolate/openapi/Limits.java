package dev.percolate.openapi;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the limits in a schema: ranges, lengths and patterns. */
final class Limits {

  private final Map<String, ?> schema;
  private final List<String> violated = new ArrayList<>();

  private Limits(Map<String, ?> schema) {
    this.schema = schema;
  }

  /** Returns a message for each limit of a schema that a value exceeds. */
  static List<String> violated(Map<String, ?> schema, @Nullable Object value) {
    Limits limits = new Limits(schema);
    if (value instanceof Number number && !isInfinite(number)) {
      limits.range(JsonType.exact(number));
    } else if (value instanceof String text) {
      limits.size("Length", text.codePointCount(0, text.length()), " characters");
      limits.pattern(text);
    } else if (value instanceof List<?> list) {
      limits.size("Items", list.size(), " items");
    } else if (value instanceof Map<?, ?> map) {
      limits.size("Properties", map.size(), " entries");
    }
    if (schema.get("const") instanceof Boolean only && !only.equals(value)) {
      limits.violated.add("must be " + only);
    }
    return limits.violated;
  }

  private static boolean isInfinite(Number number) {
    return number instanceof Double value && value.isInfinite();
  }

  private void range(BigDecimal number) {
    check("minimum", limit -> number.compareTo(limit) >= 0, "must be at least ", "");
    check("exclusiveMinimum", limit -> number.compareTo(limit) > 0, "must be greater than ", "");
    check("maximum", limit -> number.compareTo(limit) <= 0, "must be at most ", "");
    check("exclusiveMaximum", limit -> number.compareTo(limit) < 0, "must be less than ", "");
  }

  private void size(String what, int size, String unit) {
    check("min" + what, limit -> size >= limit.intValue(), "must have at least ", unit);
    check("max" + what, limit -> size <= limit.intValue(), "must have at most ", unit);
  }

  private void check(String keyword, Predicate<BigDecimal> holds, String rule, String unit) {
    if (schema.get(keyword) instanceof Number limit && !holds.test(JsonType.exact(limit))) {
      violated.add(rule + limit + unit);
    }
  }

  private void pattern(String text) {
    if (schema.get("pattern") instanceof String regexp
        && !Pattern.compile(regexp).matcher(text).find()) {
      violated.add("must match " + regexp);
    }
  }
}
