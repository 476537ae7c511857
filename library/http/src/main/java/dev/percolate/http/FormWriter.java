package dev.percolate.http;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a form. */
final class FormWriter {

  private final StringBuilder out = new StringBuilder();
  private final int depth;

  FormWriter(int depth) {
    this.depth = depth;
  }

  String write(Map<String, ?> values) {
    values.forEach(this::append);
    return out.toString();
  }

  private void append(String name, @Nullable Object value) {
    if (depth == 0 && value instanceof Iterable<?> list) {
      list.forEach(item -> append(escaped(name), item, 1));
    } else {
      append(escaped(name), value, 0);
    }
  }

  /** Writes a value with an escaped name. */
  private void append(String name, @Nullable Object value, int level) {
    boolean nests = value instanceof Map || value instanceof Iterable;
    if (nests && level >= depth) {
      throw new IllegalArgumentException(
          depth == 0
              ? "\"" + name + "\" must be a string or a list of strings in a simple form"
              : "form must have at most " + depth + " levels; a value may contain itself");
    }
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, item) -> append(below(name, String.valueOf(key)), item, level + 1));
    } else if (value instanceof Iterable<?> list) {
      int index = 0;
      for (Object item : list) {
        append(below(name, Integer.toString(index++)), item, level + 1);
      }
    } else {
      out.append(out.isEmpty() ? "" : "&").append(name).append('=');
      out.append(value == null ? "" : escaped(value.toString()));
    }
  }

  private static String below(String name, String key) {
    return name + "%5B" + escaped(key) + "%5D";
  }

  private static String escaped(String text) {
    return Percent.encodeForm(text);
  }
}
