package dev.percolate.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Finds the properties of a type, by their names in Java and in JSON. */
final class JavaProperties {

  /** A property by its name in JSON. */
  record Named(String name, JavaType type) {}

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

  private static ClassIntrospector introspector(MapperConfig<?> config) {
    return config.classIntrospectorInstance().forOperation(config);
  }

  /** Returns the properties of a type by their names in Java. Introspects the type. */
  static Map<String, Named> byJavaName(JsonMapper mapper, JavaType type) {
    Map<String, Named> properties = new HashMap<>();
    for (BeanPropertyDefinition one : of(mapper, type)) {
      properties.putIfAbsent(one.getInternalName(), new Named(one.getName(), one.getPrimaryType()));
    }
    return properties;
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
    for (Object step : path) {
      String name = step.toString();
      Named property = null;
      if (type != null && !type.isContainerType() && step instanceof String) {
        property = properties.apply(type).get(name);
      }
      pointer.append(TypeMismatch.pointerStep(property == null ? name : property.name()));
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
