package dev.percolate.json;

import com.fasterxml.jackson.annotation.Nulls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds all that is absent from a text which Jackson has refused; Jackson itself ends at the first.
 * It goes by the names that the mapper has for properties.
 */
final class Absences {

  private final DeserializationConfig config;
  private final ClassIntrospector introspector;
  private final Map<String, JavaType> found = new LinkedHashMap<>();
  private final Map<JavaType, List<BeanPropertyDefinition>> properties = new LinkedHashMap<>();

  private Absences(JsonMapper mapper) {
    this.config = mapper.deserializationConfig();
    this.introspector = config.classIntrospectorInstance();
  }

  /** Returns the pointers of what is absent, and the types that are wanted there. */
  static Map<String, JavaType> find(JsonMapper mapper, String text, JavaType type) {
    Absences absences = new Absences(mapper);
    try {
      absences.look(mapper.readTree(text), type, false, "");
    } catch (JacksonException e) {
      return Map.of(); // what was refused is refused anyway
    }
    return absences.found;
  }

  /** Looks at a value, which is there; its items may be null, or may not. */
  private void look(JsonNode node, JavaType type, boolean full, String at) {
    if (type.getContentType() != null) {
      lookInside(node, type.getContentType(), type.isReferenceType(), full, at);
    } else if (node.isObject() && isBean(type)) {
      for (BeanPropertyDefinition property : properties(type)) {
        look(node, property, at);
      }
    }
  }

  private void look(JsonNode object, BeanPropertyDefinition property, String at) {
    JsonNode value = object.get(property.getName());
    String pointer = at + Pointer.step(property.getName());
    for (PropertyName alias : property.findAliases()) {
      value = value == null ? object.get(alias.getSimpleName()) : value;
    }
    boolean absent = value == null || value.isNull();
    if (!absent) {
      boolean full = property.getMetadata().getContentNulls() == Nulls.FAIL;
      look(value, property.getPrimaryType(), full, pointer);
    } else if (property.hasConstructorParameter() && property.isRequired()) {
      found.put(pointer, property.getPrimaryType());
    }
  }

  /** Looks into lists, maps and optionals. */
  private void lookInside(
      JsonNode node, JavaType content, boolean optional, boolean full, String at) {
    if (optional) {
      look(node, content, false, at);
    } else if (node.isObject()) {
      node.properties()
          .forEach(
              entry -> item(entry.getValue(), content, full, at + Pointer.step(entry.getKey())));
    } else {
      for (int i = 0; i < node.size(); i++) {
        item(node.get(i), content, full, at + "/" + i);
      }
    }
  }

  private void item(JsonNode node, JavaType content, boolean full, String at) {
    if (!node.isNull()) {
      look(node, content, false, at);
    } else if (full) {
      found.put(at, content);
    }
  }

  private static boolean isBean(JavaType type) {
    return !type.isPrimitive()
        && !type.isEnumType()
        && !type.getRawClass().getName().startsWith("java.");
  }

  private List<BeanPropertyDefinition> properties(JavaType type) {
    return properties.computeIfAbsent(
        type,
        one -> {
          BeanDescription bean =
              introspector.introspectForDeserialization(
                  one, introspector.introspectClassAnnotations(one));
          return bean.findProperties();
        });
  }
}
