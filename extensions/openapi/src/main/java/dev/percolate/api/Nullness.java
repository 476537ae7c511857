package dev.percolate.api;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Says that a value may be null: by an annotation in Java, by a schema in JSON. */
final class Nullness {

  private static final Map<String, Object> NULL = JsonObject.of("type", "null");

  /** All types of JSON but null. */
  private static final List<String> ANYTHING =
      List.of("string", "number", "boolean", "object", "array");

  private Nullness() {}

  /** Tells whether a type is written with {@code Nullable}, that of JSpecify or any other. */
  static boolean isNullable(AnnotatedType use) {
    return isNullable(List.of(use.getAnnotations()));
  }

  static boolean isNullable(List<Annotation> annotations) {
    return annotations.stream()
        .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
  }

  /** Returns the schema of what may be null, too. */
  static Map<String, Object> nullable(Map<String, Object> schema) {
    if (schema.get("type") instanceof String type) {
      schema.put("type", List.of(type, "null"));
      if (schema.get("enum") instanceof List<?> values) {
        List<Object> withNull = new ArrayList<>(values);
        withNull.add(null);
        schema.put("enum", withNull);
      }
      return schema;
    }
    if (schema.get("type") instanceof List<?> types && !types.contains("null")) {
      List<Object> withNull = new ArrayList<>(types);
      withNull.add("null");
      schema.put("type", withNull);
      return schema;
    }
    boolean either = schema.get("anyOf") instanceof List<?> options && options.contains(NULL);
    if (schema.isEmpty() || schema.get("type") instanceof List || either) {
      return schema;
    }
    Map<String, Object> withNull = new LinkedHashMap<>();
    withNull.put("anyOf", List.of(schema, NULL));
    return withNull;
  }

  /** Returns the schema of what is not null: it may still be absent. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> without(Map<String, Object> schema) {
    if (schema.get("anyOf") instanceof List<?> options && options.contains(NULL)) {
      return (Map<String, Object>) options.get(0);
    }
    Map<String, Object> plain = new LinkedHashMap<>(schema);
    if (schema.isEmpty()) {
      plain.put("type", ANYTHING);
    } else if (schema.get("type") instanceof List<?> types) {
      List<?> others = types.stream().filter(type -> !type.equals("null")).toList();
      plain.put("type", others.size() == 1 ? others.get(0) : others);
    }
    if (schema.get("enum") instanceof List<?> values) {
      plain.put("enum", values.stream().filter(Objects::nonNull).toList());
    }
    return plain;
  }
}
