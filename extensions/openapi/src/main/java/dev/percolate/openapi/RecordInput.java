package dev.percolate.openapi;

import dev.percolate.core.FormFile;
import dev.percolate.core.Request;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;

/**
 * A record whose components are query parameters or form fields.
 *
 * @param kind {@code QUERY} or {@code FORM}
 * @param type the record
 */
record RecordInput(Parameter.Kind kind, Class<? extends Record> type) {

  RecordInput {
    if (!type.isRecord()) { // from a caller without generics
      throw new IllegalArgumentException(
          kind.word() + "(" + type.getName() + "): must be a record");
    }
  }

  /** Reads the record with the conversions of the application. */
  Record read(Request req) {
    return kind == Parameter.Kind.QUERY ? req.query(type) : req.form(type);
  }

  List<RecordComponent> components() {
    return List.of(type.getRecordComponents());
  }

  /** Returns true if a component is a file or contains files. */
  boolean hasFiles() {
    return Stream.of(type.getRecordComponents())
        .anyMatch(one -> isFile(one.getGenericType()) || isFile(argument(one.getGenericType())));
  }

  static boolean isFile(Type type) {
    return type instanceof Class<?> raw && FormFile.class.isAssignableFrom(raw);
  }

  /** Returns the type argument of a list or optional; the type itself if there is none. */
  static Type argument(Type type) {
    return type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : type;
  }
}
