package dev.percolate.openapi;

import dev.percolate.core.JsonCodec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes JSON schemas as types of TypeScript. */
final class TypeScriptType {

  private final JsonCodec codec;

  /**
   * Creates a writer.
   *
   * @param codec writes names and constants
   */
  TypeScriptType(JsonCodec codec) {
    this.codec = codec;
  }

  /**
   * Returns the type of a schema. References become members of the interface {@code Types}.
   *
   * @param value a schema
   * @param indent the indentation of the line that contains the type
   */
  String of(@Nullable Object value, String indent) {
    if (!(value instanceof Map<?, ?> schema)) {
      return "unknown";
    }
    if (schema.get("$ref") instanceof String ref) {
      return "Types[" + literal(ref.substring(ref.lastIndexOf('/') + 1)) + "]";
    }
    if (schema.containsKey("const")) {
      return literal(schema.get("const"));
    }
    if (schema.get("enum") instanceof List<?> values) {
      return union(values.stream().map(this::literal));
    }
    for (String choice : List.of("oneOf", "anyOf")) {
      if (schema.get(choice) instanceof List<?> options) {
        return union(options.stream().map(option -> of(option, indent)));
      }
    }
    if (schema.get("type") instanceof List<?> names) {
      return union(names.stream().map(name -> named(String.valueOf(name), schema, indent)));
    }
    return schema.get("type") instanceof String name ? named(name, schema, indent) : "unknown";
  }

  /** Returns a name or constant as in JSON, which is also valid in TypeScript. */
  String literal(@Nullable Object value) {
    return codec.write(value, JsonCodec.WriteOptions.COMPACT);
  }

  private static String union(Stream<String> types) {
    return types.distinct().collect(Collectors.joining(" | "));
  }

  private String named(String name, Map<?, ?> schema, String indent) {
    return switch (name) {
      case "string" -> isFile(schema) ? "Blob" : "string";
      case "integer", "number" -> "number";
      case "boolean", "null" -> name;
      case "array" -> "Array<" + of(schema.get("items"), indent) + ">";
      case "object" -> object(schema, indent);
      default -> "unknown";
    };
  }

  private static boolean isFile(Map<?, ?> schema) {
    return "application/octet-stream".equals(schema.get("contentMediaType"));
  }

  /** Returns true if only requests or only responses have a property; both have one type here. */
  private static boolean isOneWay(@Nullable Object property) {
    return property instanceof Map<?, ?> schema
        && (Boolean.TRUE.equals(schema.get("readOnly"))
            || Boolean.TRUE.equals(schema.get("writeOnly")));
  }

  private String object(Map<?, ?> schema, String indent) {
    Object properties = schema.get("properties");
    if (!(properties instanceof Map<?, ?> all) || all.isEmpty()) {
      return "{ [name: string]: " + of(schema.get("additionalProperties"), indent) + " }";
    }
    List<?> required = schema.get("required") instanceof List<?> names ? names : List.of();
    String inner = indent + "  ";
    return all.entrySet().stream()
        .map(
            one ->
                inner
                    + literal(one.getKey())
                    + (required.contains(one.getKey()) && !isOneWay(one.getValue()) ? ": " : "?: ")
                    + of(one.getValue(), inner)
                    + "\n")
        .collect(Collectors.joining("", "{\n", indent + "}"));
  }
}
