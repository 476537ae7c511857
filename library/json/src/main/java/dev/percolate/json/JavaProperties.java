package dev.percolate.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.NameTransformer;

/** Finds the properties of a type, by their names in Java and in JSON. */
final class JavaProperties {

  /**
   * A property.
   *
   * @param name its name in JSON; null if it has none: it is unwrapped, or the value of the object
   * @param type its type
   * @param inner renames the properties of an unwrapped one
   */
  record Named(@Nullable String name, JavaType type, NameTransformer inner) {}

  private JavaProperties() {}

  /** Returns the properties that are written to JSON, then those that are read from it. */
  static List<BeanPropertyDefinition> of(JsonMapper mapper, JavaType type) {
    ClassIntrospector writing = introspector(mapper.serializationConfig());
    List<BeanPropertyDefinition> all =
        new ArrayList<>(
            writing
                .introspectForSerialization(type, writing.introspectClassAnnotations(type))
                .findProperties());
    ClassIntrospector reading = introspector(mapper.deserializationConfig());
    all.addAll(
        reading
            .introspectForDeserialization(type, reading.introspectClassAnnotations(type))
            .findProperties());
    return all;
  }

  static ClassIntrospector introspector(MapperConfig<?> config) {
    return config.classIntrospectorInstance().forOperation(config);
  }

  /** Returns the properties of a type by their names in Java. Introspects the type. */
  static Map<String, Named> byJavaName(JsonMapper mapper, JavaType type) {
    Map<String, Named> properties = new HashMap<>();
    SerializationConfig config = mapper.serializationConfig();
    ClassIntrospector writing = introspector(config);
    AnnotatedClass annotated = writing.introspectClassAnnotations(type);
    AnnotatedMember value =
        writing.introspectForSerialization(type, annotated).findJsonValueAccessor();
    if (value != null) {
      properties.put(value.getName(), new Named(null, value.getType(), NameTransformer.NOP));
    }
    for (BeanPropertyDefinition one : of(mapper, type)) {
      properties.putIfAbsent(one.getInternalName(), named(config, one));
    }
    for (Class<?> subtype : subtypes(config, type, annotated)) {
      byJavaName(mapper, mapper.constructType(subtype)).forEach(properties::putIfAbsent);
    }
    return properties;
  }

  private static Named named(SerializationConfig config, BeanPropertyDefinition property) {
    AnnotatedMember member = property.getPrimaryMember();
    NameTransformer inner =
        member == null
            ? null
            : config.getAnnotationIntrospector().findUnwrappingNameTransformer(config, member);
    return inner == null
        ? new Named(property.getName(), property.getPrimaryType(), NameTransformer.NOP)
        : new Named(null, property.getPrimaryType(), inner);
  }

  /** Returns the known classes of values of an abstract type. */
  private static Set<Class<?>> subtypes(
      SerializationConfig config, JavaType type, AnnotatedClass annotated) {
    Set<Class<?>> subtypes = new LinkedHashSet<>();
    if (type.isAbstract() && !type.isPrimitive() && !type.isContainerType()) {
      config
          .getSubtypeResolver()
          .collectAndResolveSubtypesByClass(config, annotated)
          .forEach(one -> subtypes.add(one.getType()));
      if (type.getRawClass().isSealed()) {
        subtypes.addAll(List.of(type.getRawClass().getPermittedSubclasses()));
      }
      subtypes.remove(type.getRawClass());
    }
    return subtypes;
  }

  /**
   * Returns the JSON pointer (RFC 6901) of a part of a value.
   *
   * @param properties returns the properties of a type by their names in Java
   * @param root the type of the value
   * @param path the path to the part: Java property names, keys and indexes
   */
  static String pointer(
      Function<JavaType, Map<String, Named>> properties, JavaType root, List<Object> path) {
    StringBuilder pointer = new StringBuilder();
    JavaType type = content(root);
    NameTransformer outer = NameTransformer.NOP;
    for (Object step : path) {
      String name = step.toString();
      Named property = null;
      if (type != null && !type.isContainerType() && step instanceof String) {
        property = properties.apply(type).get(name);
      }
      String json = property == null ? name : property.name();
      if (json != null) {
        pointer.append(TypeMismatch.pointerStep(property == null ? json : outer.transform(json)));
        outer = NameTransformer.NOP;
      } else if (property != null) {
        outer = NameTransformer.chainedTransformer(outer, property.inner());
      }
      if (property != null) {
        type = content(property.type());
      } else {
        type = type != null && type.isContainerType() ? content(type.getContentType()) : null;
      }
    }
    return pointer.toString();
  }

  /** Returns the type in an optional; other types unchanged. */
  private static @Nullable JavaType content(@Nullable JavaType type) {
    return type != null && type.isReferenceType() ? type.getReferencedType() : type;
  }
}
