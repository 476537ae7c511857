package dev.percolate.core;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;

/** Looks at components of records, for those who make records of what clients have sent. */
public final class RecordComponents {

  private RecordComponents() {}

  /**
   * Tells whether a component may be null: an annotation named {@code Nullable}, of whatever
   * package, stands at its type or at itself, and is kept at run time.
   *
   * @param component the component
   */
  public static boolean isNullable(RecordComponent component) {
    Class<?> type = component.getDeclaringRecord();
    int index = index(component);
    // Annotations are where their targets let them be.
    return Stream.<AnnotatedElement>of(
            component,
            component.getAnnotatedType(),
            component.getAccessor(),
            canonical(type).getParameters()[index])
        .anyMatch(element -> isNullable(element));
  }

  /**
   * Tells whether an annotation named {@code Nullable}, of whatever package, stands at an element.
   *
   * @param element the element, such as the type of what a list holds
   */
  public static boolean isNullable(AnnotatedElement element) {
    return Arrays.stream(element.getAnnotations())
        .anyMatch(one -> one.annotationType().getSimpleName().equals("Nullable"));
  }

  /** Returns its place; components have no equality of their own. */
  private static int index(RecordComponent component) {
    RecordComponent[] all = component.getDeclaringRecord().getRecordComponents();
    int index = 0;
    while (!all[index].getName().equals(component.getName())) {
      index++;
    }
    return index;
  }

  /**
   * Returns the canonical constructor of a record, which may be called.
   *
   * @throws IllegalStateException if its module does not let core do that
   */
  static Constructor<?> constructor(Class<?> type) {
    Constructor<?> constructor = canonical(type);
    // Records of applications need not be public.
    if (!constructor.canAccess(null) && !constructor.trySetAccessible()) {
      throw new IllegalStateException(
          type.getName()
              + " cannot be made: say \"opens "
              + type.getPackageName()
              + " to dev.percolate.core\" in module-info.java");
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
