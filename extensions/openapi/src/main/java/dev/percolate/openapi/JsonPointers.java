package dev.percolate.openapi;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

/** Creates JSON pointers (RFC 6901) from paths of Java property names. */
final class JsonPointers {

  private static final int MOST_ECHOED = 64;

  private final BeanReader beans;
  private final Map<JavaType, Map<String, BeanReader.Property>> properties =
      new ConcurrentHashMap<>();

  JsonPointers(BeanReader beans) {
    this.beans = beans;
  }

  /** Returns the pointer for a path of property names, keys and indexes. */
  String of(Type root, List<Object> path) {
    StringBuilder pointer = new StringBuilder();
    JavaType type = beans.type(root);
    for (Object step : path) {
      pointer.append('/');
      BeanReader.Property property =
          step instanceof String name && type != null && !type.isContainerType()
              ? properties(type).get(name)
              : null;
      pointer.append(step(property == null ? String.valueOf(step) : property.name()));
      type = property != null ? unwrapped(property.type()) : content(type);
    }
    return pointer.toString();
  }

  private Map<String, BeanReader.Property> properties(JavaType type) {
    return properties.computeIfAbsent(
        type,
        one ->
            beans.properties(one).stream()
                .collect(
                    Collectors.toMap(
                        BeanReader.Property::member, Function.identity(), (a, b) -> a)));
  }

  private static @Nullable JavaType content(@Nullable JavaType type) {
    return type != null && type.isContainerType() ? unwrapped(type.getContentType()) : null;
  }

  private static @Nullable JavaType unwrapped(@Nullable JavaType type) {
    return type != null && type.isReferenceType() ? type.getReferencedType() : type;
  }

  /**
   * Returns a name in the syntax of a pointer. Clients choose the keys of maps, so a very long key
   * is truncated to keep responses short.
   */
  static String step(String name) {
    return beginning(name).replace("~", "~0").replace("/", "~1");
  }

  /** Returns the first characters of a text from a client, with an ellipsis if there are more. */
  static String beginning(String sent) {
    if (sent.length() <= MOST_ECHOED) {
      return sent;
    }
    boolean splits = Character.isHighSurrogate(sent.charAt(MOST_ECHOED - 1));
    return sent.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED) + "\u2026";
  }
}
