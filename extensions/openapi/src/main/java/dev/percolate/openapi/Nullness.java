package dev.percolate.openapi;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Determines whether values may be null, by annotations in Java, and adds null to JSON schemas. */
final class Nullness {

  private static final Map<String, Object> NULL = JsonObject.of("type", "null");

  /** All JSON types except null. */
  private static final List<String> ANYTHING =
      List.of("string", "number", "boolean", "object", "array");

  private Nullness() {}

  /** Returns true if an annotation is named {@code Nullable}, in JSpecify or another library. */
  static boolean isNullable(List<Annotation> annotations) {
    return annotations.stream()
        .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
  }

  /** Returns the schema with null allowed. */
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

  /** Returns the schema without null. The value may still be absent. */
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
