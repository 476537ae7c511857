package dev.percolate.openapi;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A limit in a schema: a range, a length or a pattern.
 *
 * @param holds returns true if a value is within the limit, or the limit does not apply to it
 * @param detail the message for other values
 */
record LimitRule(Predicate<@Nullable Object> holds, String detail) {

  /** Returns all limits of a schema. */
  static List<LimitRule> of(Map<String, ?> schema) {
    List<LimitRule> rules = new ArrayList<>();
    range(rules, schema, "minimum", "must be at least ", false, 1);
    range(rules, schema, "exclusiveMinimum", "must be greater than ", true, 1);
    range(rules, schema, "maximum", "must be at most ", false, -1);
    range(rules, schema, "exclusiveMaximum", "must be less than ", true, -1);
    size(rules, schema, "Length", "characters");
    size(rules, schema, "Items", "items");
    size(rules, schema, "Properties", "entries");
    if (schema.get("pattern") instanceof String regexp) {
      Pattern pattern = Pattern.compile(regexp);
      rules.add(
          new LimitRule(
              value -> !(value instanceof String text) || pattern.matcher(text).find(),
              "must match " + regexp));
    }
    if (schema.get("const") instanceof Boolean only) {
      rules.add(new LimitRule(only::equals, "must be " + only));
    }
    return rules;
  }

  void check(@Nullable Object value, Faults faults) {
    if (!holds.test(value)) {
      faults.add(detail);
    }
  }

  private static void range(
      List<LimitRule> rules,
      Map<String, ?> schema,
      String keyword,
      String words,
      boolean exclusive,
      int sign) {
    if (schema.get(keyword) instanceof Number number) {
      BigDecimal limit = JsonType.exact(number);
      rules.add(
          new LimitRule(
              value -> {
                if (!(value instanceof Number given)
                    || (given instanceof Double wide && wide.isInfinite())) {
                  return true;
                }
                int order = sign * JsonType.exact(given).compareTo(limit);
                return exclusive ? order > 0 : order >= 0;
              },
              words + number));
    }
  }

  private static void size(
      List<LimitRule> rules, Map<String, ?> schema, String what, String words) {
    if (schema.get("min" + what) instanceof Number least) {
      rules.add(
          new LimitRule(
              value -> sizeOf(what, value, least.intValue()) >= least.intValue(),
              "must have at least " + least + " " + words));
    }
    if (schema.get("max" + what) instanceof Number most) {
      rules.add(
          new LimitRule(
              value -> sizeOf(what, value, most.intValue()) <= most.intValue(),
              "must have at most " + most + " " + words));
    }
  }

  private static int sizeOf(String what, @Nullable Object value, int otherwise) {
    return switch (what) {
      case "Length" ->
          value instanceof String text ? text.codePointCount(0, text.length()) : otherwise;
      case "Items" -> value instanceof List<?> list ? list.size() : otherwise;
      default -> value instanceof Map<?, ?> map ? map.size() : otherwise;
    };
  }
}
