package dev.percolate.openapi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Creates random values that match a schema. */
final class RandomBodies {

  private static final int DEEPEST = 3;
  private static final List<String> TEXTS =
      List.of("x", "Emma", "\u00e4\u00f6\u00fc", "a b", "\"\\/\n", "0", "null", "\u4e2d\u6587");
  private static final List<String> TIMES =
      List.of(
          "2026-01-02T03:04:05Z", "1969-12-31T23:59:59.999999999Z", "2026-06-30T12:00:00+05:30");

  private final Map<String, Map<String, Object>> components;
  private final SplittableRandom random;

  RandomBodies(Map<String, Map<String, Object>> components, SplittableRandom random) {
    this.components = components;
    this.random = random;
  }

  /** Returns a value that matches a schema. */
  @Nullable Object valid(Map<String, ?> schema) {
    return valid(schema, 0);
  }

  private @Nullable Object valid(Map<String, ?> schema, int depth) {
    String name = Schemas.component(schema);
    if (name != null) {
      return valid(components.get(name), depth);
    }
    if (schema.get("oneOf") instanceof List<?> options) {
      return valid(map(one(options)), depth);
    }
    if (schema.get("anyOf") instanceof List<?> options) {
      return valid(map(depth > DEEPEST ? options.get(options.size() - 1) : one(options)), depth);
    }
    if (schema.containsKey("const")) {
      return schema.get("const");
    }
    if (schema.get("enum") instanceof List<?> values) {
      return one(values);
    }
    Object type = schema.get("type");
    if (type instanceof List<?> types) {
      type = one(types);
    }
    return type == null
        ? one(List.of("anything", 7, true, List.of()))
        : of((String) type, schema, depth);
  }

  private @Nullable Object of(String type, Map<String, ?> schema, int depth) {
    return switch (type) {
      case "integer" -> whole(schema);
      case "number" -> fraction(schema);
      case "boolean" -> random.nextBoolean();
      case "string" -> text(schema);
      case "array" -> list(schema, depth);
      case "object" -> object(schema, depth);
      default -> null;
    };
  }

  private Object whole(Map<String, ?> schema) {
    long[] range = range(String.valueOf(schema.get("format")));
    long least = Math.max(range[0], bound(schema, "inimum", 1, Long.MIN_VALUE));
    long most = Math.min(range[1], bound(schema, "aximum", -1, Long.MAX_VALUE));
    if (range[0] == Long.MIN_VALUE && !schema.containsKey("format") && random.nextInt(4) == 0) {
      return least > Long.MIN_VALUE ? least : new BigInteger("9".repeat(30)); // unlimited size
    }
    return switch (random.nextInt(4)) {
      case 0 -> least;
      case 1 -> most;
      default -> Math.max(least, Math.min(most, random.nextInt(-100, 100)));
    };
  }

  /** Returns the limits of a format. */
  private static long[] range(String format) {
    return switch (format) {
      case "int8" -> new long[] {Byte.MIN_VALUE, Byte.MAX_VALUE};
      case "int16" -> new long[] {Short.MIN_VALUE, Short.MAX_VALUE};
      case "int32" -> new long[] {Integer.MIN_VALUE, Integer.MAX_VALUE};
      default -> new long[] {Long.MIN_VALUE, Long.MAX_VALUE};
    };
  }

  private static long bound(Map<String, ?> schema, String end, int step, long otherwise) {
    if (schema.get("m" + end) instanceof Number number) {
      return number.longValue();
    }
    return schema.get("exclusiveM" + end) instanceof Number number
        ? number.longValue() + step
        : otherwise;
  }

  private Object fraction(Map<String, ?> schema) {
    BigDecimal least = decimal(schema, "inimum", new BigDecimal("-1000"));
    BigDecimal most =
        decimal(schema, "aximum", least.max(BigDecimal.ZERO).add(new BigDecimal(1000)));
    BigDecimal part = BigDecimal.valueOf(random.nextInt(1, 1000), 3);
    return least.add(most.subtract(least).multiply(part));
  }

  private static BigDecimal decimal(Map<String, ?> schema, String end, BigDecimal otherwise) {
    Object inclusive = schema.get("m" + end);
    Object limit = inclusive == null ? schema.get("exclusiveM" + end) : inclusive;
    return limit == null ? otherwise : new BigDecimal(limit.toString());
  }

  private Object text(Map<String, ?> schema) {
    Object format = schema.get("format");
    if (format != null) {
      return formatted(format.toString());
    }
    if (schema.containsKey("contentEncoding")) {
      return one(List.of("", "AQID", "/+8="));
    }
    if (String.valueOf(schema.get("pattern")).contains("A-Z")) {
      return "AB" + random.nextInt(100);
    }
    int least = schema.get("minLength") instanceof Number number ? number.intValue() : 0;
    if (schema.get("maxLength") instanceof Number most) {
      return "x".repeat(random.nextInt(least, most.intValue() + 1));
    }
    String text = one(TEXTS);
    return text.length() < least ? "y".repeat(least) : text;
  }

  private String formatted(String format) {
    return switch (format) {
      case "uuid" -> new UUID(random.nextLong(), random.nextLong()).toString();
      case "uri" -> one(List.of("https://example.org/a?b=c#d", "/relative", "urn:isbn:1", ""));
      case "email" -> one(List.of("ann@example.org", "a.b+c@d.example"));
      case "date" -> LocalDate.ofEpochDay(random.nextInt(-40_000, 40_000)).toString();
      case "date-time" -> one(TIMES);
      case "char" -> one(List.of("x", " ", "\u00e4", "\""));
      default -> one(List.of("PT1H30M", "PT0S", "-PT5.5S", "P2DT3H"));
    };
  }

  private List<@Nullable Object> list(Map<String, ?> schema, int depth) {
    int least = schema.get("minItems") instanceof Number number ? number.intValue() : 0;
    int most = schema.get("maxItems") instanceof Number number ? number.intValue() : least + 3;
    int size = depth > DEEPEST ? least : random.nextInt(least, most + 1);
    boolean unique = Boolean.TRUE.equals(schema.get("uniqueItems"));
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Object item = unique ? (Object) (i * 7) : valid(map(schema.get("items")), depth + 1);
      list.add(item);
    }
    return list;
  }

  private Map<String, @Nullable Object> object(Map<String, ?> schema, int depth) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    List<?> required = schema.get("required") instanceof List<?> list ? list : List.of();
    if (schema.get("properties") instanceof Map<?, ?> properties) {
      properties.forEach(
          (name, property) -> {
            boolean readOnly = Boolean.TRUE.equals(map(property).get("readOnly"));
            boolean wanted = required.contains(name) || (depth <= DEEPEST && random.nextBoolean());
            if (wanted && !readOnly) {
              object.put((String) name, valid(map(property), depth + 1));
            }
          });
      if (random.nextInt(4) == 0) {
        object.put("neverHeardOf", one(List.of(1, "x", List.of(), Map.of())));
      }
    } else if (schema.get("additionalProperties") instanceof Map) {
      int most = schema.get("maxProperties") instanceof Number number ? number.intValue() : 3;
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        object.put("key~/" + i, valid(map(schema.get("additionalProperties")), depth + 1));
      }
    }
    return object;
  }

  private <T extends @Nullable Object> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(@Nullable Object value) {
    return (Map<String, Object>) value;
  }
}
