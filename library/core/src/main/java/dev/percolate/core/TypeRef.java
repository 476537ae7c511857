package dev.percolate.core;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A generic type with its type arguments: {@code new TypeRef<List<User>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

  private final Type type;

  /** Reads the type argument of the subclass. */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)
        || parent.getRawType() != TypeRef.class) {
      throw new IllegalArgumentException(
          "TypeRef needs a type argument, as in new TypeRef<List<User>>() {}");
    }
    type = parent.getActualTypeArguments()[0];
  }

  /** Returns the type. */
  public final Type type() {
    return type;
  }

  /** Returns the class of the type without its type arguments. */
  final Class<?> rawType() {
    Type raw = type instanceof ParameterizedType parameterized ? parameterized.getRawType() : type;
    return raw instanceof Class<?> known ? known : Object.class;
  }
}
