package dev.percolate.core;

import java.lang.reflect.Type;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document of a codec without a document type. The codec reads the plain value immediately,
 * and the text again for each type.
 *
 * @param text the text
 * @param value its plain value, the same for each caller
 * @param reader reads the text as a type
 */
record ReadTwice(
    String text, @Nullable Object value, BiFunction<Type, InputErrors, @Nullable Object> reader)
    implements JsonDocument {

  @Override
  public @Nullable Object read(Type type, InputErrors errors) {
    return reader.apply(type, errors);
  }
}
