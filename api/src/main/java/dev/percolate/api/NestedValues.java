package dev.percolate.api;

import dev.percolate.core.FormFile;
import dev.percolate.json.JacksonCodec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.json.JsonMapper;

/**
 * Visits a value and then the objects that it contains: in properties, collections, maps, arrays
 * and optionals, down to a depth of {@link #MAX_DEPTH}.
 */
final class NestedValues {

  /** The maximum nesting depth, which is also that of JSON. */
  private static final int MAX_DEPTH = 1000;

  private static final JsonMapper MAPPER = new JacksonCodec().mapper();

  /** A property by its name in Java. */
  private record Part(String name, AnnotatedMember member) {}

  private static final ClassValue<List<Part>> PARTS =
      new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> type) {
          List<Part> parts = new ArrayList<>();
          new BeanReader(MAPPER)
              .members(MAPPER.constructType(type))
              .forEach((name, member) -> parts.add(new Part(name, member)));
          return List.copyOf(parts);
        }
      };

  private final Visitor visitor;
  private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
  private int depth;

  private NestedValues(Visitor visitor) {
    this.visitor = visitor;
  }

  /** Receives each object and the path to it. */
  @FunctionalInterface
  interface Visitor {
    void visit(Object value, @Nullable Way way);
  }

  /** The last element of a path: the name of a property, an index, or a key. */
  record Way(@Nullable Way before, Object step) {

    static List<Object> steps(@Nullable Way way) {
      List<Object> steps = new ArrayList<>();
      for (Way one = way; one != null; one = one.before()) {
        steps.add(one.step());
      }
      Collections.reverse(steps);
      return steps;
    }
  }

  static void visit(Object value, Visitor visitor) {
    new NestedValues(visitor).enter(value, null, true);
  }

  /**
   * Enters a value.
   *
   * @throws IllegalStateException if it is nested too deeply
   * @param outermost true if no object contains the value; then each item has an index, while items
   *     of a set in a property have none
   */
  private void enter(@Nullable Object value, @Nullable Way way, boolean outermost) {
    if (depth == MAX_DEPTH) {
      throw new IllegalStateException("a validated value is nested more than 1000 levels deep");
    }
    depth++;
    enterNested(value, way, outermost);
    depth--;
  }

  private void enterNested(@Nullable Object value, @Nullable Way way, boolean outermost) {
    if (value instanceof Optional<?> optional) {
      enter(optional.orElse(null), way, outermost);
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((key, one) -> enter(one, new Way(way, String.valueOf(key)), outermost));
    } else if (value instanceof Collection<?> items) {
      int index = 0;
      for (Object item : items) {
        boolean counted = outermost || value instanceof List<?>;
        enter(item, counted ? new Way(way, index) : way, outermost);
        index++;
      }
    } else if (value instanceof Object[] items) {
      for (int i = 0; i < items.length; i++) {
        enter(items[i], new Way(way, i), outermost);
      }
    } else if (value != null && isObject(value.getClass()) && visited.add(value)) {
      visitor.visit(value, way);
      for (Part part : PARTS.get(value.getClass())) {
        enter(part.member().getValue(value), new Way(way, part.name()), false);
      }
    }
  }

  /** Returns true if a class belongs to the application and may have properties. */
  private static boolean isObject(Class<?> type) {
    return !type.isPrimitive()
        && !type.isArray()
        && !type.isEnum()
        && !isOfJdk(type)
        && !FormFile.class.isAssignableFrom(type)
        && !JsonNode.class.isAssignableFrom(type);
  }

  private static boolean isOfJdk(Class<?> type) {
    String module = type.getModule().getName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  /** Returns true if a property of a type can contain an object, rather than a text or a number. */
  static boolean mayHold(Class<?> type) {
    return type == Object.class
        || type == Optional.class
        || type.isInterface()
        || Map.class.isAssignableFrom(type)
        || Collection.class.isAssignableFrom(type)
        || (type.isArray() && !type.getComponentType().isPrimitive())
        || isObject(type);
  }
}
