package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Escapes text for HTML elements, quoted attributes and scripts. */
public final class Html {
  private Html() {}

  /**
   * Replaces {@code & " ' < >} with character references.
   *
   * @param text any text
   * @return the escaped text; the same object if there is nothing to escape
   */
  public static String escape(String text) {
    StringBuilder out = null;
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      String reference = reference(text.charAt(i));
      if (reference != null) {
        out = out == null ? new StringBuilder(text.length() + 16) : out;
        out.append(text, copied, i).append(reference);
        copied = i + 1;
      }
    }
    return out == null ? text : out.append(text, copied, text.length()).toString();
  }

  /**
   * Replaces {@code < > &} in JSON with JSON escapes, so that the JSON is safe inside an HTML page,
   * or if a browser interprets it as HTML.
   *
   * @param json the JSON, which has these characters in strings only
   * @return equivalent JSON
   */
  public static String escapeJson(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  private static @Nullable String reference(char c) {
    return switch (c) {
      case '&' -> "&amp;";
      case '"' -> "&quot;";
      case '\'' -> "&#39;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      default -> null;
    };
  }
}
