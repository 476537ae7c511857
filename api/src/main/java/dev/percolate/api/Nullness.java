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
    if (schema.isEmpty() || schema.get("type") instanceof List) {
      return schema;
    }
    Map<String, Object> either = new LinkedHashMap<>();
    either.put("anyOf", List.of(schema, NULL));
    return either;
  }

  /** Returns the schema of what may be absent, but has no null: of a form or a query. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> without(Map<String, Object> schema) {
    if (schema.get("anyOf") instanceof List<?> options && options.contains(NULL)) {
      return (Map<String, Object>) options.get(0);
    }
    Map<String, Object> plain = new LinkedHashMap<>(schema);
    if (schema.get("type") instanceof List<?> types) {
      plain.put("type", types.get(0));
    }
    if (schema.get("enum") instanceof List<?> values) {
      plain.put("enum", values.stream().filter(Objects::nonNull).toList());
    }
    return plain;
  }
}
