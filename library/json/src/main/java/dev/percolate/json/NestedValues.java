package dev.percolate.json;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.percolate.core.FormFile;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;

/**
 * Visits a value and then the objects that it contains: in properties, collections, maps, arrays
 * and optionals. It does not recurse, since clients choose how deep maps and lists nest.
 */
final class NestedValues {

  /** The maximum nesting depth; only a value that contains itself reaches it. */
  private static final int MAX_DEPTH = 1_000_000;

  /** A property by its name in Java. */
  private record Part(String name, AnnotatedMember member) {}

  private static final ClassValue<List<Part>> PARTS =
      new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> type) {
          JsonMapper mapper = TypedValues.STANDARD.writer();
          Map<String, AnnotatedMember> members = new LinkedHashMap<>();
          for (BeanPropertyDefinition property :
              JavaProperties.of(mapper, mapper.constructType(type))) {
            AnnotatedMember getter = property.getGetter();
            AnnotatedMember member = getter == null ? property.getField() : getter;
            if (member != null && mayHold(member.getRawType())) {
              member.fixAccess(true);
              members.putIfAbsent(property.getInternalName(), member);
            }
          }
          addComponents(mapper, type, members);
          return members.entrySet().stream()
              .map(one -> new Part(one.getKey(), one.getValue()))
              .toList();
        }
      };

  /**
   * Adds the components of a record that are not written as properties, such as write-only ones.
   */
  private static void addComponents(
      JsonMapper mapper, Class<?> type, Map<String, AnnotatedMember> members) {
    if (!type.isRecord()) {
      return;
    }
    AnnotatedClass annotated =
        JavaProperties.introspector(mapper.serializationConfig())
            .introspectClassAnnotations(mapper.constructType(type));
    for (RecordComponent component : type.getRecordComponents()) {
      AnnotatedMethod accessor = annotated.findMethod(component.getName(), new Class<?>[0]);
      if (accessor != null
          && mayHold(component.getType())
          && !accessor.hasAnnotation(JsonIgnore.class)
          && !accessor.hasAnnotation(JacksonInject.class)) {
        accessor.fixAccess(true);
        members.putIfAbsent(component.getName(), accessor);
      }
    }
  }

  private final Visitor visitor;
  private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The values to enter, the next one first. */
  private final Deque<Nested> waiting = new ArrayDeque<>();

  private final List<Nested> contained = new ArrayList<>();

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

  /**
   * A value that contains others.
   *
   * @param outermost true if no object contains the value; then each item has an index, while items
   *     of a set in a property have none
   */
  private record Nested(Object value, @Nullable Way way, boolean outermost, int depth) {}

  /**
   * Visits a value and the objects that it contains.
   *
   * @throws IllegalStateException if it contains itself
   */
  static void visit(Object value, Visitor visitor) {
    NestedValues values = new NestedValues(visitor);
    Nested next = mayContain(value) ? new Nested(value, null, true, 1) : null;
    while (next != null) {
      values.enter(next);
      next = values.waiting.poll();
    }
  }

  private void enter(Nested nested) {
    if (nested.depth() > MAX_DEPTH) {
      throw new IllegalStateException("a validated value contains itself");
    }
    contained.clear();
    addContained(nested, nested.value(), nested.way());
    for (int i = contained.size() - 1; i >= 0; i--) {
      waiting.push(contained.get(i));
    }
  }

  private void addContained(Nested nested, Object value, @Nullable Way way) {
    boolean outermost = nested.outermost();
    if (value instanceof Optional<?> optional) {
      add(nested, optional.orElse(null), way, null, outermost);
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((key, one) -> add(nested, one, way, String.valueOf(key), outermost));
    } else if (value instanceof Collection<?> items) {
      boolean counted = outermost || value instanceof List<?>;
      int index = 0;
      for (Object item : items) {
        add(nested, item, way, counted ? index : null, outermost);
        index++;
      }
    } else if (value instanceof Object[] items) {
      for (int i = 0; i < items.length; i++) {
        add(nested, items[i], way, i, outermost);
      }
    } else if (visited.add(value)) {
      visitor.visit(value, way);
      for (Part part : PARTS.get(value.getClass())) {
        add(nested, part.member().getValue(value), way, part.name(), false);
      }
    }
  }

  /** Adds what a value contains, unless it contains nothing itself. */
  private void add(
      Nested outer,
      @Nullable Object value,
      @Nullable Way way,
      @Nullable Object step,
      boolean outermost) {
    if (value == null || !mayContain(value)) {
      return;
    }
    Way inner = step == null ? way : new Way(way, step);
    contained.add(new Nested(value, inner, outermost, outer.depth() + 1));
  }

  private static boolean mayContain(Object value) {
    return value instanceof Optional<?>
        || value instanceof Map<?, ?>
        || value instanceof Collection<?>
        || value instanceof Object[]
        || isObject(value.getClass());
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
  private static boolean mayHold(Class<?> type) {
    return type == Object.class
        || type == Optional.class
        || type.isInterface()
        || Map.class.isAssignableFrom(type)
        || Collection.class.isAssignableFrom(type)
        || (type.isArray() && !type.getComponentType().isPrimitive())
        || isObject(type);
  }
}
