package dev.percolate.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares a JSON value with a schema that {@link Schemas} creates, and lists all faults. Schemas
 * are not compiled, since only few responses are checked in production.
 */
final class SchemaCheck {

  /** The maximum number of faults. */
  private static final int MOST = 100;

  /** The maximum depth; deeper values are not checked, because each level uses the stack. */
  private static final int MOST_LEVELS = 250;

  /** The maximum number of trials; nested options could need exponentially many. */
  private static final int MOST_TRIALS = 10_000;

  private static final int MOST_NAMES = 20;

  private final Map<String, Map<String, Object>> components;
  private final int most;
  private final AtomicInteger trials;
  private final List<String> faults = new ArrayList<>();

  /**
   * The position of a value.
   *
   * @param outer the position of the object or list that contains it; null for the whole value
   * @param step its name or index
   * @param level the number of values that contain it
   */
  private record Place(@Nullable Place outer, Object step, int level) {

    Place of(Object inner) {
      return new Place(this, inner, level + 1);
    }

    /** Returns the JSON pointer (RFC 6901). */
    String pointer() {
      return outer == null ? "" : outer.pointer() + "/" + JsonPointers.step(String.valueOf(step));
    }
  }

  private SchemaCheck(Map<String, Map<String, Object>> components, int most, AtomicInteger trials) {
    this.components = components;
    this.most = most;
    this.trials = trials;
  }

  /**
   * Returns the faults of a value, each with its pointer.
   *
   * @param schema the schema of the value
   * @param value maps, lists, strings, numbers, booleans and null
   * @param components the components of the schema
   */
  static List<String> faults(
      Map<String, ?> schema, @Nullable Object value, Map<String, Map<String, Object>> components) {
    SchemaCheck check = new SchemaCheck(components, MOST, new AtomicInteger());
    check.check(schema, value, new Place(null, "", 0));
    return check.faults;
  }

  private void check(Map<String, ?> schema, @Nullable Object value, Place place) {
    if (faults.size() >= most || place.level() > MOST_LEVELS) {
      return;
    }
    String component = Schemas.component(schema);
    if (component != null) {
      check(Objects.requireNonNull(components.get(component), component), value, place);
      return;
    }
    List<String> types = texts(schema.get("type"));
    if (!types.isEmpty() && types.stream().noneMatch(type -> JsonType.is(type, value))) {
      add(place, "expected " + expected(types));
    } else if (value != null || !types.contains("null")) {
      checkTyped(schema, value, place);
    }
  }

  /** Checks a value of the correct type. */
  private void checkTyped(Map<String, ?> schema, @Nullable Object value, Place place) {
    List<?> values =
        schema.get("const") instanceof String only ? List.of(only) : (List<?>) schema.get("enum");
    if (values != null && !values.contains(value)) {
      add(place, "expected " + oneOf(values));
      return;
    }
    if (schema.get("format") instanceof String format && !JsonType.hasFormat(format, value)) {
      add(place, "expected " + JsonType.nameOf(format));
      return;
    }
    Limits.violated(schema, value).forEach(detail -> add(place, detail));
    Object either = schema.containsKey("oneOf") ? schema.get("oneOf") : schema.get("anyOf");
    if (either instanceof List<?> options && !options.isEmpty()) {
      checkOptions(schema, options, value, place);
    }
    if (value instanceof Map<?, ?> map) {
      checkObject(schema, map, place);
    } else if (value instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
      for (int i = 0; i < list.size(); i++) {
        check(schema(items), list.get(i), place.of(i));
      }
    }
  }

  private void checkObject(Map<String, ?> schema, Map<?, ?> object, Place place) {
    Map<?, ?> properties = schema.get("properties") instanceof Map<?, ?> all ? all : Map.of();
    List<String> required = texts(schema.get("required"));
    properties.forEach(
        (name, property) -> {
          if (object.containsKey(name)) {
            checkProperty(schema(property), object.get(name), place.of(name));
          } else if (required.contains(name) && !isWriteOnly(schema(property))) {
            add(place.of(name), "is missing");
          }
        });
    required.stream()
        .filter(name -> !properties.containsKey(name) && !object.containsKey(name))
        .forEach(name -> add(place.of(name), "is missing"));
    if (schema.get("additionalProperties") instanceof Map<?, ?> others) {
      object.forEach(
          (name, value) -> {
            if (!properties.containsKey(name)) {
              checkProperty(schema(others), value, place.of(name));
            }
          });
    }
  }

  private void checkProperty(Map<String, ?> schema, @Nullable Object value, Place place) {
    if (isWriteOnly(schema)) {
      add(place, "must not be sent: it is write-only");
    } else {
      check(schema, value, place);
    }
  }

  private static boolean isWriteOnly(Map<String, ?> schema) {
    return Boolean.TRUE.equals(schema.get("writeOnly"));
  }

  private void checkOptions(
      Map<String, ?> schema, List<?> options, @Nullable Object value, Place place) {
    if (schema.get("discriminator") instanceof Map<?, ?> discriminator) {
      checkNamed(discriminator, value, place);
      return;
    }
    List<Map<String, ?>> fitting = new ArrayList<>();
    for (Object option : options) {
      if ((value == null) == texts(schema(option).get("type")).equals(List.of("null"))) {
        fitting.add(schema(option));
      }
    }
    if (fitting.size() == 1) {
      check(fitting.get(0), value, place);
    } else if (fitting.stream().noneMatch(option -> matches(option, value, place))) {
      add(place, "matches none of the allowed types");
    }
  }

  /** Returns true if a value matches a schema, or if too many schemas have been tried. */
  private boolean matches(Map<String, ?> schema, @Nullable Object value, Place place) {
    trials.incrementAndGet();
    SchemaCheck trial = new SchemaCheck(components, 1, trials);
    trial.check(schema, value, place);
    return trial.faults.isEmpty() || trials.get() > MOST_TRIALS;
  }

  /** Checks a value that contains the name of its type. */
  private void checkNamed(Map<?, ?> discriminator, @Nullable Object value, Place place) {
    if (!(value instanceof Map<?, ?> object)) {
      add(place, "expected an object");
      return;
    }
    String property = String.valueOf(discriminator.get("propertyName"));
    Map<?, ?> types = discriminator.get("mapping") instanceof Map<?, ?> all ? all : Map.of();
    Object reference = types.get(String.valueOf(object.get(property)));
    if (reference == null) {
      add(place.of(property), "expected " + oneOf(List.copyOf(types.keySet())));
    } else {
      check(JsonObject.of("$ref", reference), value, place);
    }
  }

  private void add(Place place, String detail) {
    if (faults.size() < most) {
      String pointer = place.pointer();
      faults.add((pointer.isEmpty() ? "the body" : pointer) + ": " + detail);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> schema(Object json) {
    return (Map<String, ?>) json;
  }

  /** Returns the strings in a list, or a single one as a list. */
  private static List<String> texts(@Nullable Object value) {
    List<?> list = value instanceof List<?> all ? all : value == null ? List.of() : List.of(value);
    return list.stream().map(String::valueOf).toList();
  }

  private static String expected(List<String> types) {
    return types.stream()
        .filter(type -> !type.equals("null"))
        .map(JsonType::nameOf)
        .collect(Collectors.joining(" or "));
  }

  private static String oneOf(List<?> values) {
    String names =
        values.stream()
            .filter(one -> one != null)
            .limit(MOST_NAMES)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return (values.size() == 1 ? "" : "one of ")
        + names
        + (values.size() > MOST_NAMES ? ", …" : "");
  }
}
