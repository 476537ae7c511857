package dev.percolate.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the settings for JSON responses to the options of a codec. */
final class JsonStyle {

  private static final int MAX_INDENT = 10;

  private JsonStyle() {}

  /**
   * Returns the options.
   *
   * @param replacer the value of {@link Settings#JSON_REPLACER}
   * @param spaces the value of {@link Settings#JSON_SPACES}
   */
  static JsonCodec.WriteOptions of(@Nullable Object replacer, @Nullable Object spaces) {
    String indent = indent(spaces);
    if (replacer instanceof JsonCodec.Replacer function) {
      return new JsonCodec.WriteOptions(indent, function, null);
    }
    if (replacer instanceof List<?> names) {
      return new JsonCodec.WriteOptions(indent, null, names.stream().map(String::valueOf).toList());
    }
    return indent.isEmpty()
        ? JsonCodec.WriteOptions.COMPACT
        : new JsonCodec.WriteOptions(indent, null, null);
  }

  private static String indent(@Nullable Object spaces) {
    if (spaces instanceof Number number) {
      return " ".repeat(Math.max(0, Math.min(MAX_INDENT, number.intValue())));
    }
    return spaces instanceof String text
        ? text.substring(0, Math.min(MAX_INDENT, text.length()))
        : "";
  }
}
