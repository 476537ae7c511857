package dev.percolate.openapi;

import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** A Java type that JSON is read to: a class or a generic type. */
record BodyType(@Nullable Class<?> ofClass, @Nullable TypeRef<?> reference) {

  static BodyType of(Class<?> type) {
    return new BodyType(type, null);
  }

  static BodyType of(TypeRef<?> type) {
    return new BodyType(null, type);
  }

  Type type() {
    return reference != null ? reference.type() : ofClass == null ? Object.class : ofClass;
  }

  @Nullable Object read(Request req) {
    if (reference != null) {
      return req.body(reference);
    }
    Class<?> asked = ofClass == null ? Object.class : ofClass;
    return req.body(asked);
  }
}
