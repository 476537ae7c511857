package dev.percolate.api;

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
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes JSON Schemas (2020-12) of types, as a mapper reads and writes them. Types with a name are
 * components, each made once.
 *
 * <p>Not for several threads at once.
 */
final class Schemas {

  private static final String REF = "#/components/schemas/";

  private final BeanReader beans;
  private final JsonMapper mapper;
  private final Map<String, Map<String, Object>> components = new TreeMap<>();
  private final Map<JavaType, String> names = new HashMap<>();

  Schemas(JsonMapper mapper) {
    this.mapper = mapper;
    this.beans = new BeanReader(mapper);
  }

  /** Returns all components so far, by name. */
  Map<String, Map<String, Object>> components() {
    return components;
  }

  /** Adds a component that is of no type. */
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

  /** Returns the schema of a type; one with a name is referred to. */
  Map<String, Object> of(Type type) {
    return of(mapper.constructType(type), null);
  }

  /**
   * Returns the schema of a component of a record, as forms and queries have it, which know no
   * null.
   */
  Map<String, Object> field(RecordComponent component) {
    JavaType type = mapper.constructType(component.getGenericType());
    Map<String, Object> schema = Nullness.without(of(type, component.getAnnotatedType()));
    Constraints.add(schema, List.of(component.getAccessor().getAnnotations()), type);
    return schema;
  }

  /** Tells whether a schema is that of objects. */
  boolean isObject(Map<String, ?> schema) {
    String name = component(schema);
    Map<String, ?> own = name == null ? schema : components.get(name);
    return own != null && ("object".equals(own.get("type")) || own.containsKey("oneOf"));
  }

  /**
   * Returns the schema of a type.
   *
   * @param use the type as it is written, with annotations; null if that is not known
   */
  Map<String, Object> of(JavaType type, @Nullable AnnotatedType use) {
    Map<String, Object> schema = plain(type, use);
    if (use == null) {
      return schema;
    }
    Constraints.add(schema, List.of(use.getAnnotations()), type);
    return Nullness.isNullable(use) ? Nullness.nullable(schema) : schema;
  }

  private Map<String, Object> plain(JavaType type, @Nullable AnnotatedType use) {
    Class<?> raw = type.getRawClass();
    if (type.isJavaLangObject() || JsonNode.class.isAssignableFrom(raw)) {
      return new LinkedHashMap<>();
    }
    if (type.isReferenceType()) {
      return Nullness.nullable(of(type.getReferencedType(), argument(use, 0)));
    }
    if (Set.of(OptionalInt.class, OptionalLong.class, OptionalDouble.class).contains(raw)) {
      return Nullness.nullable(
          JsonObject.of("type", raw == OptionalDouble.class ? "number" : "integer"));
    }
    if (raw == byte[].class) {
      return JsonObject.of("type", "string", "contentEncoding", "base64");
    }
    if (type.isMapLikeType()) {
      return JsonObject.of(
          "type", "object", "additionalProperties", of(type.getContentType(), argument(use, 1)));
    }
    if (type.isArrayType() || type.isCollectionLikeType() || type.isIterationType()) {
      return list(type, use);
    }
    return named(type);
  }

  private Map<String, Object> list(JavaType type, @Nullable AnnotatedType use) {
    AnnotatedType item =
        use instanceof AnnotatedArrayType array
            ? array.getAnnotatedGenericComponentType()
            : argument(use, 0);
    Map<String, Object> schema =
        JsonObject.of("type", "array", "items", of(type.getContentType(), item));
    if (Set.class.isAssignableFrom(type.getRawClass())) {
      schema.put("uniqueItems", true);
    }
    return schema;
  }

  private Map<String, Object> named(JavaType type) {
    String known = names.get(type);
    if (known != null) {
      return ref(known);
    }
    JavaType value = beans.valueType(type);
    if (value != null) {
      return of(value, null);
    }
    List<BeanReader.Subtype> subtypes = beans.subtypes(type);
    boolean object = !subtypes.isEmpty() || beans.isObject(type);
    if (!object && !type.isEnumType()) {
      return beans.leaf(type);
    }
    String name = newName(type);
    names.put(type, name);
    components.put(name, new LinkedHashMap<>()); // while it is made it may be referred to
    components.put(name, component(type, subtypes));
    return ref(name);
  }

  private Map<String, Object> component(JavaType type, List<BeanReader.Subtype> subtypes) {
    Map<String, Object> schema =
        type.isEnumType()
            ? beans.leaf(type)
            : subtypes.isEmpty() ? bean(type) : oneOf(type, subtypes);
    String description = beans.description(type);
    if (description != null) {
      schema.put("description", description);
    }
    return schema;
  }

  private Map<String, Object> oneOf(JavaType base, List<BeanReader.Subtype> subtypes) {
    List<Object> options = new ArrayList<>();
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (BeanReader.Subtype subtype : subtypes) {
      Map<String, Object> option = named(subtype.type());
      options.add(option);
      if (subtype.id() != null) {
        mapping.put(subtype.id(), String.valueOf(option.get("$ref")));
      }
    }
    String property = beans.typeProperty(base);
    if (property == null) {
      return JsonObject.of("anyOf", options); // nothing tells them apart
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
    for (BeanReader.Property property : beans.properties(type)) {
      properties.putIfAbsent(property.name(), property(property));
      if (property.required() && !required.contains(property.name())) {
        required.add(property.name());
      }
    }
    Map<String, Object> schema = JsonObject.of("type", "object");
    if (!properties.isEmpty()) {
      schema.put("properties", properties);
    }
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    return schema;
  }

  private Map<String, Object> property(BeanReader.Property property) {
    Map<String, Object> schema = of(property.type(), property.use());
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
