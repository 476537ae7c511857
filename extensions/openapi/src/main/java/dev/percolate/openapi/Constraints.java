package dev.percolate.openapi;

import static java.util.Collections.disjoint;

import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JavaType;

/** Adds Jakarta Validation constraints to schemas. Annotations are found by name. */
final class Constraints {

  private static final String PACKAGE = "jakarta.validation.constraints.";
  private static final String DEFAULT_GROUP = "jakarta.validation.groups.Default";
  private static final Set<String> NOT_NULL = Set.of("NotNull", "NotBlank", "NotEmpty");

  private static final Set<String> KEYWORDS =
      Set.of(
          ("minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems"
                  + " maxItems pattern")
              .split(" "));

  private Constraints() {}

  /** Returns true if schemas contain constraints beyond the types of values. */
  static boolean isAny(Map<String, Map<String, Object>> components) {
    return components.values().stream()
        .flatMap(
            one -> one.get("properties") instanceof Map<?, ?> all ? all.values().stream() : null)
        .anyMatch(one -> one instanceof Map<?, ?> schema && !disjoint(schema.keySet(), KEYWORDS));
  }

  /** Returns true if an annotation is a single constraint, not a list of constraints. */
  static boolean isOne(Annotation one) {
    String name = one.annotationType().getName();
    return name.startsWith(PACKAGE) && name.indexOf('$') < 0;
  }

  /** Returns true if a constraint belongs to the default group, the only group that is checked. */
  private static boolean isChecked(Annotation one) {
    Class<?>[] groups = (Class<?>[]) value(one, "groups");
    return groups.length == 0
        || Stream.of(groups).anyMatch(group -> group.getName().equals(DEFAULT_GROUP));
  }

  static boolean rejectsNull(List<Annotation> annotations) {
    return annotations.stream().anyMatch(one -> NOT_NULL.contains(name(one)) && isChecked(one));
  }

  /** Returns true if a list must not be empty. An absent list counts as empty. */
  static boolean rejectsEmpty(List<Annotation> annotations) {
    return annotations.stream()
        .anyMatch(
            one ->
                (name(one).equals("NotEmpty") && isChecked(one))
                    || (name(one).equals("Size")
                        && isChecked(one)
                        && value(one, "min") instanceof Integer min
                        && min > 0));
  }

  static void add(Map<String, Object> schema, List<Annotation> annotations, JavaType type) {
    for (Annotation one : annotations) {
      add(schema, one, type);
    }
  }

  private static void add(Map<String, Object> schema, Annotation one, JavaType type) {
    if (!isOne(one) || !isChecked(one)) {
      return;
    }
    switch (name(one)) {
      case "NotBlank" -> {
        limit(schema, "minLength", 1);
        schema.putIfAbsent("pattern", "\\S");
      }
      case "NotEmpty" -> limit(schema, "min" + sized(type), 1);
      case "Size" -> size(schema, one, type);
      case "Min" -> limit(schema, "minimum", value(one, "value"));
      case "Max" -> limit(schema, "maximum", value(one, "value"));
      case "DecimalMin" -> decimal(schema, one, "minimum", "exclusiveMinimum");
      case "DecimalMax" -> decimal(schema, one, "maximum", "exclusiveMaximum");
      case "Positive" -> limit(schema, "exclusiveMinimum", 0);
      case "PositiveOrZero" -> limit(schema, "minimum", 0);
      case "Negative" -> limit(schema, "exclusiveMaximum", 0);
      case "NegativeOrZero" -> limit(schema, "maximum", 0);
      case "Email" -> schema.put("format", "email");
      case "Pattern" -> {
        if (((Object[]) value(one, "flags")).length == 0) { // JSON Schema has no flags
          schema.put("pattern", "^(?:" + value(one, "regexp") + ")$");
        }
      }
      case "AssertTrue" -> schema.put("const", true);
      case "AssertFalse" -> schema.put("const", false);
      default -> {}
    }
  }

  private static void size(Map<String, Object> schema, Annotation one, JavaType type) {
    if (!Integer.valueOf(0).equals(value(one, "min"))) {
      limit(schema, "min" + sized(type), value(one, "min"));
    }
    if (!Integer.valueOf(Integer.MAX_VALUE).equals(value(one, "max"))) {
      limit(schema, "max" + sized(type), value(one, "max"));
    }
  }

  private static String sized(JavaType type) {
    return type.isMapLikeType() ? "Properties" : type.isContainerType() ? "Items" : "Length";
  }

  private static void decimal(
      Map<String, Object> schema, Annotation one, String inclusive, String exclusive) {
    boolean includes = Boolean.TRUE.equals(value(one, "inclusive"));
    limit(schema, includes ? inclusive : exclusive, new BigDecimal((String) value(one, "value")));
  }

  /** Sets a limit, unless a stricter one is set. Annotations have no order. */
  private static void limit(Map<String, Object> schema, String keyword, Object value) {
    boolean least = keyword.toLowerCase(Locale.ROOT).contains("min");
    if (schema.get(keyword) instanceof Number known && value instanceof Number other) {
      int order = new BigDecimal(other.toString()).compareTo(new BigDecimal(known.toString()));
      if (least ? order <= 0 : order >= 0) {
        return;
      }
    }
    schema.put(keyword, value);
  }

  private static String name(Annotation one) {
    String name = one.annotationType().getName();
    return isOne(one) ? name.substring(PACKAGE.length()) : "";
  }

  private static Object value(Annotation one, String attribute) {
    try {
      return one.annotationType().getMethod(attribute).invoke(one);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(one + ": no " + attribute, e);
    }
  }
}
