package dev.percolate.core;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads records. Each component is read from the value with its name.
 *
 * <p>All components are read. Then the constructor is called if none is faulty.
 */
final class RecordType implements InputType {

  private static final int MOST_NAMES = 20;

  private final Constructor<?> constructor;
  private List<Component> components = List.of();

  /**
   * A component of a record.
   *
   * @param name its name
   * @param type reads its value
   * @param nullable whether it may be absent
   */
  record Component(String name, InputType type, boolean nullable) {}

  /** Creates a reader without components. They are set later, since one may have the same type. */
  RecordType(Constructor<?> constructor) {
    this.constructor = constructor;
  }

  void components(List<Component> all) {
    this.components = all;
  }

  @Override
  public String wanted() {
    String names =
        components.stream()
            .limit(MOST_NAMES)
            .map(Component::name)
            .collect(Collectors.joining(", ", "fields inside: ", ""));
    return components.size() > MOST_NAMES ? names + ", …" : names;
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
    if (sent.equals("")) {
      return null;
    }
    if (!(sent instanceof Map<?, ?> values)) {
      return InputType.faulty(this, at, null, errors);
    }
    @Nullable Object[] arguments = new Object[components.size()];
    boolean faulty = false;
    for (int i = 0; i < arguments.length; i++) {
      Component component = components.get(i);
      arguments[i] = read(component, values.get(component.name()), at, errors);
      faulty |= arguments[i] == FAULTY;
    }
    return faulty ? FAULTY : made(arguments, at, errors);
  }

  private static @Nullable Object read(
      Component component, @Nullable Object sent, InputPath at, InputErrors errors) {
    InputPath place = at.to(component.name());
    if (sent == null && component.nullable()) {
      return null;
    }
    Object value = sent == null ? null : component.type().read(sent, place, errors);
    if (value == null) {
      value = component.type().absent();
    }
    if (value == null && !component.nullable()) {
      errors.missing(place.toString());
      return FAULTY;
    }
    return value;
  }

  private Object made(@Nullable Object[] arguments, InputPath at, InputErrors errors) {
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      if (thrown instanceof IllegalArgumentException) {
        errors.rejected(at.toString(), thrown);
        return FAULTY;
      }
      throw unchecked(thrown);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(constructor + ": cannot be called", e);
    }
  }

  /** Rethrows an error, or returns the exception of a record constructor as an unchecked one. */
  private static RuntimeException unchecked(@Nullable Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
  }
}
