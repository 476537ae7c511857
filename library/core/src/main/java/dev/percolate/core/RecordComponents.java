package dev.percolate.core;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Helpers for code that creates records from the input of clients. */
public final class RecordComponents {

  private RecordComponents() {}

  /**
   * Returns true if a component may be null: the component or its type has an annotation named
   * {@code Nullable}, of any package, with run-time retention.
   *
   * @param component the component
   */
  public static boolean isNullable(RecordComponent component) {
    Class<?> type = component.getDeclaringRecord();
    List<String> names =
        Stream.of(type.getRecordComponents()).map(RecordComponent::getName).toList();
    int index = names.indexOf(component.getName()); // components do not implement equals
    // The targets of an annotation determine which of these elements have it.
    return Stream.<AnnotatedElement>of(
            component,
            component.getAnnotatedType(),
            component.getAccessor(),
            canonical(type).getParameters()[index])
        .anyMatch(element -> isNullable(element));
  }

  /**
   * Returns true if an element has an annotation named {@code Nullable}, of any package.
   *
   * @param element the element, such as the element type of a list
   */
  public static boolean isNullable(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
  }

  /**
   * Returns the canonical constructor of a record, made accessible.
   *
   * @throws IllegalStateException if the module of the record does not open its package to core
   */
  static Constructor<?> constructor(Class<?> type) {
    Constructor<?> constructor = canonical(type);
    // Records of applications need not be public.
    if (!constructor.canAccess(null) && !constructor.trySetAccessible()) {
      throw new IllegalStateException(
          type.getName()
              + " cannot be created: add \"opens "
              + type.getPackageName()
              + " to dev.percolate.core\" to module-info.java");
    }
    return constructor;
  }

  private static Constructor<?> canonical(Class<?> type) {
    Class<?>[] types =
        Stream.of(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type.getName() + " has no canonical constructor", e);
    }
  }
}
