package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed JSON text. Its syntax has been checked; its values are created when they are read.
 *
 * <p>It is immutable. Do not change the bytes that it was parsed from.
 */
public interface JsonDocument {

  /**
   * Returns the value as maps (in the order of the text), lists, strings, numbers, booleans and
   * null.
   *
   * @return the value, which the caller may change; a second call may return the same value
   */
  @Nullable Object value();

  /**
   * Reads the value as a Java type, numbers with all their digits. Errors are added to a collector,
   * with JSON pointers (RFC 6901). An absent or null component of a record is an error at any
   * depth, unless it is {@code @Nullable}, an {@link java.util.Optional} or a list, or reading is
   * {@linkplain InputErrors#lenient lenient}. A {@link FormFile} is never read from JSON.
   *
   * @param type the type
   * @param errors receives the errors
   * @return the value, null for JSON null; ignore it if there are errors
   * @throws IllegalArgumentException if the text exceeds a limit of the codec
   * @throws IllegalStateException if the type cannot be read, or its code fails
   * @throws HttpError if code of the type throws it
   */
  @Nullable Object read(Type type, InputErrors errors);

  /**
   * Returns the JSON pointer (RFC 6901) of a part of a value that was read as a type. Default: the
   * pointer of the Java names, for codecs whose names in JSON are the same.
   *
   * @param type the type
   * @param path the path to the part: Java property names, keys of maps, indexes of lists
   */
  default String pointer(Type type, List<Object> path) {
    StringBuilder pointer = new StringBuilder();
    for (Object step : path) {
      pointer.append('/').append(step.toString().replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  /** Returns the text. */
  String text();
}
