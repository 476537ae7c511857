package dev.percolate.openapi;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds one fault to a value that matches a schema, at any position. */
final class SpoiltBodies {

  private static final List<Object> OF_ALL_TYPES =
      List.of(
          7, new BigDecimal("1.5"), "text", true, List.of(), Map.of(), List.of(1), Map.of("a", 1));

  private static final List<String> NO_FORMAT = List.of("a b", "2026-13-01", "\u0000<>", "PT");
  private static final List<String> NO_PATTERN = List.of("", " ", "#", "ab1");

  private final Map<String, Map<String, Object>> components;
  private final SplittableRandom random;

  /** The possible faults by kind. */
  private final Map<String, List<Runnable>> faults = new TreeMap<>();

  private @Nullable Object root;

  /**
   * A value with a fault.
   *
   * @param kind the kind of the fault
   */
  record Spoilt(@Nullable Object body, String kind) {}

  /** Replaces a value at its position. */
  private interface Place {
    void put(@Nullable Object value);
  }

  SpoiltBodies(Map<String, Map<String, Object>> components, SplittableRandom random) {
    this.components = components;
    this.random = random;
  }

  /** Returns a copy of a value that matches a schema, with one fault. */
  Spoilt of(@Nullable Object valid, Map<String, ?> schema) {
    faults.clear();
    root = copy(valid);
    visit(root, schema, value -> root = value);
    List<String> kinds = List.copyOf(faults.keySet());
    String kind = kinds.get(random.nextInt(kinds.size()));
    List<Runnable> ways = faults.get(kind);
    ways.get(random.nextInt(ways.size())).run();
    return new Spoilt(root, kind);
  }

  private void visit(@Nullable Object value, Map<String, ?> schema, Place place) {
    Set<String> types = types(schema);
    if (!types.isEmpty()) {
      for (Object other : OF_ALL_TYPES) {
        if (types.stream().noneMatch(type -> JsonType.is(type, other))) {
          add("another type", () -> place.put(other));
        }
      }
      if (!types.contains("null")) {
        add("null", () -> place.put(null));
      }
    }
    if (value != null) {
      Map<String, ?> own = own(schema, value);
      texts(value, own, place);
      numbers(own, place);
      if (value instanceof List<?> list) {
        visitList(changeable(list), own);
      } else if (value instanceof Map<?, ?>) {
        visitObject(RandomBodies.map(value), own);
      }
    }
  }

  /** Returns the types that a value may have according to its schema. */
  private Set<String> types(Map<String, ?> schema) {
    String name = Schemas.component(schema);
    if (name != null) {
      return types(components.get(name));
    }
    Set<String> types = new HashSet<>();
    for (String either : List.of("oneOf", "anyOf")) {
      if (schema.get(either) instanceof List<?> options) {
        options.forEach(one -> types.addAll(types(RandomBodies.map(one))));
      }
    }
    Object type = schema.get("type");
    if (type instanceof List<?> several) {
      several.forEach(one -> types.add((String) one));
    } else if (type != null) {
      types.add((String) type);
    }
    return types;
  }

  /** Returns the one of several schemas that a value matches. */
  private Map<String, ?> own(Map<String, ?> schema, Object value) {
    String name = Schemas.component(schema);
    if (name != null) {
      return own(components.get(name), value);
    }
    if (schema.get("anyOf") instanceof List<?> options) {
      return own(RandomBodies.map(options.get(0)), value); // the other option is null
    }
    if (schema.get("discriminator") instanceof Map<?, ?> discriminator) {
      Object id = ((Map<?, ?>) value).get(discriminator.get("propertyName"));
      Object option = ((Map<?, ?>) discriminator.get("mapping")).get(id);
      return own(JsonObject.of("$ref", option), value);
    }
    return schema;
  }

  private void visitObject(Map<String, Object> object, Map<String, ?> schema) {
    Map<String, Object> properties = RandomBodies.map(schema.get("properties"));
    List<?> required = schema.get("required") instanceof List<?> list ? list : List.of();
    List.copyOf(object.keySet())
        .forEach(
            name -> {
              Object property = properties == null ? null : properties.get(name);
              Object inner = property == null ? schema.get("additionalProperties") : property;
              if (inner != null) {
                visit(object.get(name), RandomBodies.map(inner), value -> object.put(name, value));
              }
              if (required.contains(name)) {
                add("missing", () -> object.remove(name));
              }
            });
    if (schema.get("maxProperties") instanceof Number most && !object.isEmpty()) {
      add(
          "too many entries",
          () -> {
            Object any = object.values().iterator().next();
            for (int i = 0; object.size() <= most.intValue(); i++) {
              object.put("more" + i, any);
            }
          });
    }
  }

  private void visitList(List<Object> list, Map<String, ?> schema) {
    for (int i = 0; i < list.size(); i++) {
      int index = i;
      visit(list.get(i), RandomBodies.map(schema.get("items")), value -> list.set(index, value));
    }
    if (list.isEmpty()) {
      return;
    }
    if (schema.get("maxItems") instanceof Number most) {
      add(
          "too many items",
          () -> {
            while (list.size() <= most.intValue()) {
              list.add(list.get(0));
            }
          });
    }
    if (schema.get("minItems") instanceof Number least) {
      add("too few items", () -> list.subList(least.intValue() - 1, list.size()).clear());
    }
    if (Boolean.TRUE.equals(schema.get("uniqueItems"))) {
      add("duplicate item", () -> list.add(list.get(0)));
    }
  }

  private void texts(Object value, Map<String, ?> schema, Place place) {
    if (schema.get("enum") instanceof List<?>) {
      add("unknown constant", () -> place.put("NOT_A_CONSTANT"));
    }
    if (schema.get("const") instanceof String) {
      add("unknown discriminator", () -> place.put("Oval"));
    } else if (schema.get("const") instanceof Boolean only) {
      add("another constant", () -> place.put(!only));
    }
    if (!(value instanceof String)) {
      return;
    }
    if (schema.get("format") != null) {
      boolean email = "email".equals(schema.get("format"));
      NO_FORMAT.stream()
          .filter(text -> email || !JsonType.hasFormat(schema.get("format").toString(), text))
          .forEach(text -> add("format", () -> place.put(text)));
    }
    if (schema.get("pattern") instanceof String regexp) {
      Pattern pattern = Pattern.compile(regexp);
      NO_PATTERN.stream()
          .filter(text -> !pattern.matcher(text).find())
          .forEach(text -> add("pattern", () -> place.put(text)));
    }
    if (schema.get("maxLength") instanceof Number most && !schema.containsKey("format")) {
      add("too long", () -> place.put("x".repeat(most.intValue() + 1)));
    }
    if (schema.get("minLength") instanceof Number least && !schema.containsKey("format")) {
      add("too short", () -> place.put("x".repeat(least.intValue() - 1)));
    }
  }

  private void numbers(Map<String, ?> schema, Place place) {
    outside(schema, place, "minimum", -1);
    outside(schema, place, "exclusiveMinimum", 0);
    outside(schema, place, "maximum", 1);
    outside(schema, place, "exclusiveMaximum", 0);
    String most =
        switch (String.valueOf(schema.get("format"))) {
          case "int8" -> "128";
          case "int16" -> "32768";
          case "int32" -> "2147483648";
          case "int64" -> "9223372036854775808";
          default -> null;
        };
    if (most != null) {
      add("format of a number", () -> place.put(new BigDecimal(most)));
      add(
          "format of a number",
          () -> place.put(new BigDecimal(most).negate().subtract(BigDecimal.ONE)));
    }
  }

  private void outside(Map<String, ?> schema, Place place, String keyword, int step) {
    if (schema.get(keyword) instanceof Number limit) {
      BigDecimal bound = new BigDecimal(limit.toString());
      add("out of range", () -> place.put(bound.add(BigDecimal.valueOf(step))));
      add("out of range", () -> place.put(bound.add(BigDecimal.valueOf(step * 1000L))));
    }
  }

  private void add(String kind, Runnable fault) {
    faults.computeIfAbsent(kind, one -> new ArrayList<>()).add(fault);
  }

  @SuppressWarnings("unchecked") // created by copy
  private static List<Object> changeable(List<?> list) {
    return (List<Object>) list;
  }

  /** Returns a deep, mutable copy. */
  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((name, one) -> copy.put(name, copy(one)));
      return copy;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(one -> copy.add(copy(one)));
      return copy;
    }
    return value;
  }
}
