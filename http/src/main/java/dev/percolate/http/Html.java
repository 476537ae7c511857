package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Escapes text for use in HTML: in elements, in quoted attributes, in scripts. */
public final class Html {
  private Html() {}

  /**
   * Replaces {@code & " ' < >} by character references.
   *
   * @param text any text
   * @return the escaped text; the same object when there is nothing to escape
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
   * Replaces {@code < > &} in a JSON text by its own escapes, so that it can stand in an HTML page,
   * or be taken for one, without harm.
   *
   * @param json JSON, where these characters stand in texts only
   * @return JSON that means the same
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
