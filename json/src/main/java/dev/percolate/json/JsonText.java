package dev.percolate.json;

/** Appends texts in quotes, escaped as {@code JSON.stringify} does. */
final class JsonText {

  private static final String HEX = "0123456789abcdef";

  private JsonText() {}

  static void append(StringBuilder out, String text) {
    out.append('"');
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || (Character.isSurrogate(c) && isLone(text, i))) {
        out.append(text, start, i);
        escape(out, c);
        start = i + 1;
      }
    }
    out.append(text, start, text.length()).append('"');
  }

  /** Tells whether one half of a surrogate pair is without the other. */
  private static boolean isLone(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
        : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
  }

  private static void escape(StringBuilder out, char c) {
    int simple = "\"\\\b\f\n\r\t".indexOf(c);
    out.append('\\');
    if (simple >= 0) {
      out.append("\"\\bfnrt".charAt(simple));
      return;
    }
    out.append('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX.charAt(c >> shift & 15));
    }
  }
}
