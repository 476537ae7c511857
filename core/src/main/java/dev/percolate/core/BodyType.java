package dev.percolate.core;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Reads the text of a JSON body to a Java type. */
final class BodyType {

  private BodyType() {}

  static @Nullable Object read(@Nullable String text, Type type) {
    if (text == null) {
      throw new IllegalStateException(
          "body("
              + type.getTypeName()
              + "): no JSON body was read; does a JSON parser stand above?");
    }
    try {
      return JsonCodec.find().read(text, type);
    } catch (IllegalArgumentException e) {
      throw new HttpError(400, e.getMessage(), "entity.parse.failed", e).with("body", text);
    }
  }
}
