package dev.percolate.openapi;

import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Java type that JSON is read to: a class or a generic type.
 *
 * @param type the type
 * @param reading reads the body of a request
 */
record BodyType(Type type, Function<Request, @Nullable Object> reading) {

  static BodyType of(Class<?> type) {
    return new BodyType(type, req -> req.body(type));
  }

  static BodyType of(TypeRef<?> type) {
    return new BodyType(type.type(), req -> req.body(type));
  }
}
