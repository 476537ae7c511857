package dev.percolate.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes values that a schema allows, and one fault in them. */
final class RandomBodies {

  private final Map<String, Map<String, Object>> components;
  private final SplittableRandom random;

  RandomBodies(Map<String, Map<String, Object>> components, long seed) {
    this.components = components;
    this.random = new SplittableRandom(seed);
  }

  /** Returns a value that fits. */
  @Nullable Object valid(Map<String, ?> schema, int depth) {
    String name = Schemas.component(schema);
    if (name != null) {
      return valid(components.get(name), depth);
    }
    if (schema.get("oneOf") instanceof List<?> options) {
      return valid(map(options.get(random.nextInt(options.size()))), depth);
    }
    if (schema.get("anyOf") instanceof List<?> options) {
      return valid(map(options.get(depth > 3 ? 1 : random.nextInt(options.size()))), depth);
    }
    if (schema.containsKey("const")) {
      return schema.get("const");
    }
    if (schema.get("enum") instanceof List<?> values) {
      return values.get(random.nextInt(values.size()));
    }
    Object type = schema.get("type");
    if (type instanceof List<?> types) {
      type = types.get(random.nextInt(types.size()));
    }
    return type == null ? "anything" : ofType((String) type, schema, depth);
  }

  private @Nullable Object ofType(String type, Map<String, ?> schema, int depth) {
    return switch (type) {
      case "integer" -> whole(schema);
      case "number" -> Math.abs(random.nextInt(1000)) / 8.0 + 1;
      case "boolean" -> random.nextBoolean();
      case "string" -> text(schema);
      case "array" -> list(schema, depth);
      case "object" -> object(schema, depth);
      default -> null;
    };
  }

  private Object whole(Map<String, ?> schema) {
    int least = schema.get("minimum") instanceof Number number ? number.intValue() : 1;
    int most = schema.get("maximum") instanceof Number number ? number.intValue() : 100;
    return random.nextInt(least, most + 1);
  }

  private Object text(Map<String, ?> schema) {
    Object format = schema.get("format");
    if (format == null && schema.containsKey("contentEncoding")) {
      return "AQID";
    }
    if (format == null) {
      Object pattern = schema.get("pattern");
      if (pattern != null && pattern.toString().contains("A-Z")) {
        return "AB" + random.nextInt(100);
      }
      int length = schema.get("maxLength") instanceof Number most ? most.intValue() : 12;
      return "x".repeat(random.nextInt(1, length + 1));
    }
    return switch (format.toString()) {
      case "uuid" -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
      case "uri" -> "https://example.org/" + random.nextInt(9);
      case "email" -> "ann@example.org";
      case "date" -> "2026-01-0" + random.nextInt(1, 10);
      case "date-time" -> "2026-01-02T03:04:0" + random.nextInt(10) + "Z";
      default -> "PT" + random.nextInt(1, 60) + "M";
    };
  }

  private List<Object> list(Map<String, ?> schema, int depth) {
    int least = schema.get("minItems") instanceof Number number ? number.intValue() : 0;
    int size = depth > 3 ? least : least + random.nextInt(3);
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Object item = valid(map(schema.get("items")), depth + 1);
      if (!Boolean.TRUE.equals(schema.get("uniqueItems")) || !list.contains(item)) {
        list.add(item);
      }
    }
    return list;
  }

  private Map<String, Object> object(Map<String, ?> schema, int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    List<?> required = schema.get("required") instanceof List<?> list ? list : List.of();
    if (schema.get("properties") instanceof Map<?, ?> properties) {
      properties.forEach(
          (name, property) -> {
            boolean readOnly = Boolean.TRUE.equals(map(property).get("readOnly"));
            if (!readOnly && (required.contains(name) || (depth < 4 && random.nextBoolean()))) {
              object.put((String) name, valid(map(property), depth + 1));
            }
          });
    } else if (schema.get("additionalProperties") instanceof Map) {
      object.put("key", valid(map(schema.get("additionalProperties")), depth + 1));
    }
    return object;
  }

  /** Breaks one property of an object by a value of another type, or takes it away. */
  void spoil(Map<String, Object> object, Map<String, ?> schema) {
    List<?> required = (List<?>) schema.get("required");
    String name = (String) required.get(random.nextInt(required.size()));
    Map<String, ?> property = map(map(schema.get("properties")).get(name));
    boolean anything = property.isEmpty();
    boolean readOnly = Boolean.TRUE.equals(property.get("readOnly"));
    if (readOnly) {
      object.remove("text");
    } else if (anything || random.nextBoolean()) {
      object.remove(name);
    } else {
      object.put(name, object.get(name) instanceof List ? 1 : List.of(Map.of()));
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) value;
  }
}
