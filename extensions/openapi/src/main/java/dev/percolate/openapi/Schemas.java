package dev.percolate.openapi;

import dev.percolate.core.RecordComponents;
import dev.percolate.json.ReadObject;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates JSON schemas (2020-12) from types, as a mapper reads and writes them. Named types become
 * components, each created once.
 *
 * <p>Not thread-safe.
 */
final class Schemas {

  private static final String REF = "#/components/schemas/";

  private final BeanReader beans;
  private final Map<String, Map<String, Object>> components = new TreeMap<>();
  private final Map<JavaType, String> names = new HashMap<>();

  Schemas(BeanReader beans) {
    this.beans = beans;
  }

  /** Returns all components created so far, by name. */
  Map<String, Map<String, Object>> components() {
    return components;
  }

  /** Adds a component that has no Java type. */
  void component(String name, Map<String, Object> schema) {
    components.put(name, schema);
  }

  static Map<String, Object> ref(String name) {
    return JsonObject.of("$ref", REF + name);
  }

  /** Returns the name of the component that a schema refers to; null if it does not. */
  static @Nullable String component(Map<String, ?> schema) {
    return schema.get("$ref") instanceof String ref && ref.startsWith(REF)
        ? ref.substring(REF.length())
        : null;
  }

  /** Returns the schema of a type; a reference for a named type. */
  Map<String, Object> of(Type type) {
    return of(beans.type(type), null, null, beans::leaf);
  }

  /** Returns the schema of a record component in a form or query, where null does not exist. */
  Map<String, Object> field(RecordComponent component) {
    JavaType type = beans.type(component.getGenericType());
    Map<String, Object> schema =
        Nullness.without(of(type, component.getAnnotatedType(), null, beans::leaf));
    Constraints.add(schema, List.of(component.getAccessor().getAnnotations()), type);
    return schema;
  }

  /** Returns true if a schema describes objects. */
  boolean isObject(Map<String, ?> schema) {
    String name = component(schema);
    Map<String, ?> own = name == null ? schema : components.get(name);
    return own != null && ("object".equals(own.get("type")) || own.containsKey("oneOf"));
  }

  /**
   * Returns the schema of a type.
   *
   * @param use the annotated type; null if unknown
   * @param holdsNull whether elements of lists and maps may be null; null if only the type decides
   * @param leaves creates the schemas of values without parts
   */
  private Map<String, Object> of(
      JavaType type,
      @Nullable AnnotatedType use,
      @Nullable Boolean holdsNull,
      BeanReader.Leaves leaves) {
    Map<String, Object> schema = plain(type, use, holdsNull, leaves);
    if (use == null) {
      return schema;
    }
    Constraints.add(schema, List.of(use.getAnnotations()), type);
    return RecordComponents.isNullable(use) ? Nullness.nullable(schema) : schema;
  }

  /** Returns the schema of the elements of a list or map. */
  private Map<String, Object> content(
      JavaType type,
      @Nullable AnnotatedType use,
      @Nullable Boolean holdsNull,
      BeanReader.Leaves leaves) {
    Map<String, Object> schema = of(type, use, holdsNull, leaves);
    if (holdsNull == null) {
      return schema;
    }
    return holdsNull && !type.isPrimitive() ? Nullness.nullable(schema) : Nullness.without(schema);
  }

  private Map<String, Object> plain(
      JavaType type,
      @Nullable AnnotatedType use,
      @Nullable Boolean holdsNull,
      BeanReader.Leaves leaves) {
    Class<?> raw = type.getRawClass();
    if (raw == ObjectNode.class) {
      return JsonObject.of("type", "object");
    }
    if (raw == ArrayNode.class) {
      return JsonObject.of("type", "array");
    }
    if (type.isJavaLangObject() || JsonNode.class.isAssignableFrom(raw)) {
      return new LinkedHashMap<>();
    }
    if (type.isReferenceType()) {
      return Nullness.nullable(of(type.getReferencedType(), argument(use, 0), holdsNull, leaves));
    }
    if (Set.of(OptionalInt.class, OptionalLong.class, OptionalDouble.class).contains(raw)) {
      return Nullness.nullable(
          JsonObject.of("type", raw == OptionalDouble.class ? "number" : "integer"));
    }
    if (raw == byte[].class) {
      return JsonObject.of("type", "string", "contentEncoding", "base64");
    }
    if (raw == char[].class) {
      return JsonObject.of("type", "string");
    }
    if (type.isMapLikeType()) {
      return JsonObject.of(
          "type",
          "object",
          "additionalProperties",
          content(type.getContentType(), argument(use, 1), holdsNull, leaves));
    }
    if (type.isArrayType() || type.isCollectionLikeType() || type.isIterationType()) {
      return list(type, use, holdsNull, leaves);
    }
    return named(type, leaves);
  }

  private Map<String, Object> list(
      JavaType type,
      @Nullable AnnotatedType use,
      @Nullable Boolean holdsNull,
      BeanReader.Leaves leaves) {
    AnnotatedType item =
        use instanceof AnnotatedArrayType array
            ? array.getAnnotatedGenericComponentType()
            : argument(use, 0);
    return JsonObject.of(
        "type", "array", "items", content(type.getContentType(), item, holdsNull, leaves));
  }

  private Map<String, Object> named(JavaType type, BeanReader.Leaves leaves) {
    String known = names.get(type);
    if (known != null) {
      return ref(known);
    }
    JavaType value = beans.valueType(type);
    if (value != null) {
      return of(value, null, null, leaves);
    }
    List<BeanReader.Subtype> subtypes = beans.subtypes(type);
    boolean object = !subtypes.isEmpty() || beans.isObject(type);
    if (!object && !type.isEnumType()) {
      return leaves.of(type);
    }
    String name = newName(type);
    names.put(type, name);
    components.put(name, new LinkedHashMap<>()); // may be referred to during creation
    components.put(name, component(type, subtypes));
    return ref(name);
  }

  private Map<String, Object> component(JavaType type, List<BeanReader.Subtype> subtypes) {
    Map<String, Object> schema =
        type.isEnumType()
            ? beans.leaf(type)
            : subtypes.isEmpty() ? bean(type) : oneOf(type, subtypes);
    JsonObject.add(schema, "description", beans.description(type));
    return schema;
  }

  private Map<String, Object> oneOf(JavaType base, List<BeanReader.Subtype> subtypes) {
    List<Object> options = new ArrayList<>();
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (BeanReader.Subtype subtype : subtypes) {
      Map<String, Object> option = named(subtype.type(), beans::leaf);
      options.add(option);
      if (subtype.id() != null) {
        mapping.put(subtype.id(), String.valueOf(option.get("$ref")));
      }
    }
    String property = beans.typeProperty(base);
    if (property == null) {
      return JsonObject.of("anyOf", options); // not distinguishable
    }
    return JsonObject.of(
        "oneOf",
        options,
        "discriminator",
        JsonObject.of("propertyName", property, "mapping", mapping));
  }

  private Map<String, Object> bean(JavaType type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    String typeProperty = beans.typeProperty(type);
    if (typeProperty != null) {
      properties.put(typeProperty, JsonObject.of("type", "string", "const", beans.typeId(type)));
      required.add(typeProperty);
    }
    List<Object> eitherName = new ArrayList<>();
    for (BeanReader.Property property : beans.properties(type)) {
      properties.putIfAbsent(property.name(), property(property));
      property.aliases().forEach(alias -> properties.putIfAbsent(alias, alias(property)));
      if (property.required() && !property.aliases().isEmpty()) {
        eitherName.add(eitherName(property));
      } else if (property.required() && !required.contains(property.name())) {
        required.add(property.name());
      }
    }
    Map<String, Object> schema = JsonObject.of("type", "object");
    JsonObject.add(schema, "properties", properties);
    JsonObject.add(schema, "required", required);
    JsonObject.add(schema, "allOf", eitherName);
    return withOtherForms(schema, type);
  }

  /** Returns the schema of an alias of a property, which only requests may use. */
  private Map<String, Object> alias(BeanReader.Property property) {
    Map<String, Object> schema = new LinkedHashMap<>(property(property));
    schema.put("description", "Alias of " + property.name());
    schema.put("writeOnly", true);
    return schema;
  }

  /** Returns a schema that requires a property under one of its names. */
  private static Map<String, Object> eitherName(BeanReader.Property property) {
    List<Object> names = new ArrayList<>();
    names.add(JsonObject.of("required", List.of(property.name())));
    property.aliases().forEach(alias -> names.add(JsonObject.of("required", List.of(alias))));
    return JsonObject.of("anyOf", names);
  }

  /** Adds the other forms that clients may send instead of an object with these properties. */
  private Map<String, Object> withOtherForms(Map<String, Object> schema, JavaType type) {
    ReadObject reading = beans.reading(type);
    if (reading == null) {
      return schema;
    }
    if (reading.delegate() != null) {
      return JsonObject.of(
          "anyOf", List.of(of(reading.delegate(), null, null, beans::leaf), schema));
    }
    if (!reading.scalars().isEmpty()) {
      List<String> types = new ArrayList<>(List.of("object"));
      types.addAll(reading.scalars());
      schema.put("type", types);
    }
    return schema;
  }

  private Map<String, Object> property(BeanReader.Property property) {
    Map<String, Object> schema =
        of(property.type(), property.use(), property.holdsNull(), property.leaves());
    if (property.nullable() != null) {
      schema = property.nullable() ? Nullness.nullable(schema) : Nullness.without(schema);
    }
    Constraints.add(schema, property.annotations(), property.type());
    property.words().forEach(schema::put);
    return schema;
  }

  private String newName(JavaType type) {
    String simple = nameOf(type);
    String name = simple;
    for (int i = 2; components.containsKey(name); i++) {
      name = simple + i;
    }
    return name;
  }

  private static String nameOf(JavaType type) {
    StringBuilder name = new StringBuilder(type.getRawClass().getSimpleName());
    for (JavaType argument : type.getBindings().getTypeParameters()) {
      name.append(nameOf(argument));
    }
    return name.toString().replaceAll("[^A-Za-z0-9._-]", "");
  }

  private static @Nullable AnnotatedType argument(@Nullable AnnotatedType use, int index) {
    if (use instanceof AnnotatedParameterizedType generic) {
      AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
      return index < arguments.length ? arguments[index] : null;
    }
    return null;
  }
}
