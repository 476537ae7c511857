package dev.percolate.http;

/** Escapes text for log lines, so that no value can end its line or forge another one. */
public final class LogText {
  /** The ASCII characters that are escaped, as a table for speed. */
  private static final boolean[] ESCAPED = escaped();

  private LogText() {}

  /**
   * Escapes backslashes, double quotes, control characters, Unicode line separators, and format
   * characters (category Cf), which are invisible or reorder the displayed line. Escapes are those
   * of JSON strings.
   *
   * @param text any text
   * @return the escaped text; the same object if there is nothing to escape
   */
  public static String escape(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (needsEscape(text, i)) {
        return escapeFrom(text, i);
      }
    }
    return text;
  }

  private static boolean[] escaped() {
    boolean[] escaped = new boolean[0x80];
    for (char c = 0; c < escaped.length; c++) {
      escaped[c] = c < ' ' || c == '"' || c == '\\' || c == 0x7F;
    }
    return escaped;
  }

  private static boolean needsEscape(String text, int i) {
    char c = text.charAt(i);
    return c < 0x80 ? ESCAPED[c] : c <= 0x9F || isLineOrFormat(text, i);
  }

  private static boolean isLineOrFormat(String text, int i) {
    char c = text.charAt(i);
    int type = Character.getType(c);
    if (type == Character.SURROGATE) {
      boolean second = i > 0 && Character.isSurrogatePair(text.charAt(i - 1), c);
      return Character.getType(text.codePointAt(second ? i - 1 : i)) == Character.FORMAT;
    }
    return type == Character.FORMAT || c == 0x2028 || c == 0x2029;
  }

  private static String escapeFrom(String text, int first) {
    StringBuilder out = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      char c = text.charAt(i);
      if (needsEscape(text, i)) {
        appendEscape(out, c);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void appendEscape(StringBuilder out, char c) {
    switch (c) {
      case '\\', '"' -> out.append('\\').append(c);
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> Ascii.appendEscape(out, c);
    }
  }
}
