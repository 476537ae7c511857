package dev.percolate.openapi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rule that a schema defines for a value in a response. */
final class ValueRule {

  private static final int MOST_NAMES = 20;

  /** Finds the rules of components. */
  interface Context {

    /**
     * Returns the rule of a component. Looked up when needed, because types may contain themselves.
     */
    ValueRule component(String name);
  }

  private final Context check;
  private final @Nullable String reference;
  private final List<String> types;
  private final boolean nullable;
  private final @Nullable List<?> values;
  private final boolean single;
  private final @Nullable ValueRule items;
  private final @Nullable ValueRule others;
  private final List<Property> properties = new ArrayList<>();
  private final Map<String, ValueRule> byName = new HashMap<>();
  private final List<ValueRule> options = new ArrayList<>();
  private final @Nullable String typeProperty;
  private final Map<String, ValueRule> byTypeName = new LinkedHashMap<>();
  private final @Nullable String format;
  private final List<LimitRule> limits;
  private final boolean passive;

  /** The referenced rule, looked up when needed, because types may contain themselves. */
  private @Nullable ValueRule referred;

  /** A property that is looked up in each object; the rule is null if any value is allowed. */
  private record Property(String name, @Nullable ValueRule rule, boolean required) {}

  ValueRule(Map<String, ?> schema, Context check) {
    this.check = check;
    reference = Schemas.component(schema);
    types = texts(schema.get("type"));
    nullable = types.contains("null");
    single = schema.containsKey("const") && schema.get("const") instanceof String;
    values = single ? List.of((String) schema.get("const")) : (List<?>) schema.get("enum");
    items = inner(schema.get("items"));
    others = inner(schema.get("additionalProperties"));
    if (schema.get("properties") instanceof Map<?, ?> map) {
      map.forEach((name, value) -> byName.put((String) name, rule(value)));
    }
    addProperties(schema);
    Object either = schema.containsKey("oneOf") ? schema.get("oneOf") : schema.get("anyOf");
    if (either instanceof List<?> list) {
      list.forEach(one -> options.add(rule(one)));
    }
    typeProperty = discriminator(schema.get("discriminator"));
    format = schema.get("format") instanceof String text && JsonType.isFormat(text) ? text : null;
    limits = LimitRule.of(schema);
    passive = Boolean.TRUE.equals(schema.get("writeOnly"));
  }

  private void addProperties(Map<String, ?> schema) {
    List<String> required = texts(schema.get("required"));
    if (schema.get("properties") instanceof Map<?, ?> map) {
      for (Object name : map.keySet()) {
        ValueRule rule = byName.get(name);
        boolean needed = required.contains(name) && (rule == null || !rule.passive);
        properties.add(new Property((String) name, rule, needed));
      }
    }
    required.stream()
        .filter(name -> !byName.containsKey(name))
        .forEach(name -> properties.add(new Property(name, null, true)));
  }

  /** Returns the strings in a list, or a single one as a list. */
  private static List<String> texts(@Nullable Object value) {
    List<?> list = value instanceof List<?> all ? all : value == null ? List.of() : List.of(value);
    return list.stream().map(String::valueOf).toList();
  }

  private @Nullable String discriminator(@Nullable Object schema) {
    if (!(schema instanceof Map<?, ?> map)) {
      return null;
    }
    if (map.get("mapping") instanceof Map<?, ?> mapping) {
      mapping.forEach((id, ref) -> byTypeName.put((String) id, rule(JsonObject.of("$ref", ref))));
    }
    return (String) map.get("propertyName");
  }

  private @Nullable ValueRule inner(@Nullable Object schema) {
    return schema instanceof Map ? rule(schema) : null;
  }

  @SuppressWarnings("unchecked")
  private ValueRule rule(Object schema) {
    return new ValueRule((Map<String, ?>) schema, check);
  }

  /** Returns the faults of a value. */
  List<Fault> faults(@Nullable Object value) {
    Faults faults = new Faults();
    check(value, faults);
    return faults.all();
  }

  /** Adds the faults of a value. */
  void check(@Nullable Object value, Faults faults) {
    if (faults.isFull()) {
      return;
    }
    if (faults.isTooDeep()) {
      return;
    }
    if (reference != null) {
      ValueRule known = referred; // a race is harmless
      if (known == null) {
        known = check.component(reference);
        referred = known;
      }
      known.check(value, faults);
      return;
    }
    if (!types.isEmpty() && !isOfType(value)) {
      faults.add("expected " + expected());
      return;
    }
    if (value == null && nullable) {
      return;
    }
    if (values != null && !values.contains(value)) {
      faults.add("expected " + oneOf(values));
      return;
    }
    if (format != null && !JsonType.hasFormat(format, value)) {
      faults.add("expected " + JsonType.nameOfFormat(format));
      return;
    }
    for (LimitRule limit : limits) {
      limit.check(value, faults);
    }
    if (!options.isEmpty()) {
      checkOptions(value, faults);
    }
    if (value instanceof Map<?, ?> map) {
      checkObject(map, faults);
    } else if (value instanceof List<?> list && items != null) {
      checkItems(list, items, faults);
    }
  }

  private boolean isOfType(@Nullable Object value) {
    for (int i = 0; i < types.size(); i++) {
      if (JsonType.is(types.get(i), value)) {
        return true;
      }
    }
    return false;
  }

  private static void checkItems(List<?> list, ValueRule rule, Faults faults) {
    for (int i = 0; i < list.size(); i++) {
      faults.enter(i);
      rule.check(list.get(i), faults);
      faults.leave();
    }
  }

  private void checkObject(Map<?, ?> map, Faults faults) {
    for (int i = 0; i < properties.size(); i++) {
      Property property = properties.get(i);
      Object value = map.get(property.name());
      if (value == null && !map.containsKey(property.name())) {
        if (property.required()) {
          faults.add(property.name(), "is missing");
        }
      } else if (property.rule() != null) {
        checkProperty(property.name(), property.rule(), value, faults);
      }
    }
    if (others == null) {
      return;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = (String) entry.getKey();
      if (!byName.containsKey(name)) {
        checkProperty(name, others, entry.getValue(), faults);
      }
    }
  }

  private void checkProperty(
      String name, ValueRule property, @Nullable Object value, Faults faults) {
    faults.enter(name);
    if (!property.passive) {
      property.check(value, faults);
    } else {
      faults.add("must not be sent: it is write-only");
    }
    faults.leave();
  }

  private void checkOptions(@Nullable Object value, Faults faults) {
    if (typeProperty != null) {
      checkNamed(value, typeProperty, faults);
      return;
    }
    List<ValueRule> fitting = new ArrayList<>();
    for (ValueRule option : options) {
      if (value == null == option.isNull()) {
        fitting.add(option);
      }
    }
    if (fitting.size() == 1) {
      fitting.get(0).check(value, faults);
      return;
    }
    for (ValueRule option : fitting) {
      Faults own = faults.trial();
      option.check(value, own);
      if (own.isEmpty() || own.isTried()) {
        return;
      }
    }
    faults.add("matches none of the allowed types");
  }

  private void checkNamed(@Nullable Object value, String property, Faults faults) {
    if (!(value instanceof Map<?, ?> map)) {
      faults.add("expected an object");
      return;
    }
    ValueRule type = byTypeName.get(String.valueOf(map.get(property)));
    if (type == null) {
      faults.add(property, "expected " + oneOf(List.copyOf(byTypeName.keySet())));
    } else {
      type.check(value, faults);
    }
  }

  private boolean isNull() {
    return types.equals(List.of("null"));
  }

  private String expected() {
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
