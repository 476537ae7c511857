package dev.percolate.core;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Holds a type with its arguments: {@code new TypeRef<List<User>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

  private final Type type;

  /** Reads the type from the subclass, which must name it. */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)
        || parent.getRawType() != TypeRef.class) {
      throw new IllegalArgumentException(
          "TypeRef: name a type, as in new TypeRef<List<User>>() {}");
    }
    type = parent.getActualTypeArguments()[0];
  }

  /** Returns the type. */
  public final Type type() {
    return type;
  }

  /** Returns the class of the type, without its arguments. */
  final Class<?> rawType() {
    Type raw = type instanceof ParameterizedType parameterized ? parameterized.getRawType() : type;
    return raw instanceof Class<?> known ? known : Object.class;
  }
}
