package dev.percolate.core;

import java.util.Collection;
import java.util.List;

/** Writes plain values for headers. */
final class PlainText {

  private PlainText() {}

  /** Writes a value; a number with a fraction as JSON would, so that {@code 2.0} is {@code 2}. */
  static String of(Object value) {
    boolean fractional = value instanceof Double || value instanceof Float;
    return fractional
        ? JsonCodec.find().write(value, JsonCodec.Style.COMPACT)
        : String.valueOf(value);
  }

  /** Writes the items of a collection. */
  static List<String> all(Collection<?> values) {
    return values.stream().map(PlainText::of).toList();
  }
}
