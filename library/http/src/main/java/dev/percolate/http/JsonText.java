package dev.percolate.http;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON (RFC 8259) without a codec, for the library's own output: maps, lists, strings,
 * numbers, booleans and null.
 */
public final class JsonText {

  private JsonText() {}

  /**
   * Returns a value as JSON, without white space. In strings, {@code <}, {@code >}, {@code &} and
   * lone surrogates are escaped, so that the JSON is safe inside an HTML page.
   *
   * @param value a map, an iterable, a number, a boolean or null; other values are written as
   *     strings
   */
  public static String of(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    append(value, out);
    return out.toString();
  }

  private static void append(@Nullable Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      appendMap(map, out);
    } else if (value instanceof Iterable<?> list) {
      appendList(list, out);
    } else if (value == null || value instanceof Boolean || isNumber(value)) {
      out.append(value);
    } else {
      appendText(value.toString(), out);
    }
  }

  private static boolean isNumber(Object value) {
    return value instanceof Number number && Double.isFinite(number.doubleValue());
  }

  private static void appendMap(Map<?, ?> map, StringBuilder out) {
    String between = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      appendText(String.valueOf(entry.getKey()), out.append(between));
      append(entry.getValue(), out.append(':'));
      between = ",";
    }
    out.append(map.isEmpty() ? "{}" : "}");
  }

  private static void appendList(Iterable<?> list, StringBuilder out) {
    out.append('[');
    for (Iterator<?> values = list.iterator(); values.hasNext(); ) {
      append(values.next(), out);
      out.append(values.hasNext() ? "," : "");
    }
    out.append(']');
  }

  private static void appendText(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (isPlain(text, i)) {
            out.append(c);
          } else {
            Ascii.appendEscape(out, c);
          }
        }
      }
    }
    out.append('"');
  }

  /** Returns true if a character is written unescaped; surrogate pairs are. */
  private static boolean isPlain(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)) {
      return index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
    }
    return c >= ' ' && "<>&\u2028\u2029\u007f".indexOf(c) < 0;
  }
}
