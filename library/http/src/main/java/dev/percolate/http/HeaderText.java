package dev.percolate.http;

/** Checks and compares names and values of headers (RFC 9110 sections 5.1 and 5.5). */
public final class HeaderText {
  private static final int SHOWN_LENGTH = 80;

  /** A bit for each ASCII character that is allowed in tokens: 0 to 63, 64 to 127. */
  private static final long[] TOKEN = new long[2];

  static {
    String marks = "!#$%&'*+-.^_`|~";
    for (char c = 0; c < 128; c++) {
      if (Ascii.isAlphanumeric(c) || marks.indexOf(c) >= 0) {
        TOKEN[c >> 6] |= 1L << c;
      }
    }
  }

  private HeaderText() {}

  static void checkName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("header name must not be empty");
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isTokenChar(name.charAt(i))) {
        throw new IllegalArgumentException(
            "header name \"" + shown(name) + "\" must not contain " + describe(name.charAt(i)));
      }
    }
  }

  static void checkValue(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isControl(c) || c > 0xFF) {
        throw new IllegalArgumentException(
            "value of header \"" + name + "\" must not contain " + describe(c));
      }
    }
  }

  /**
   * Returns a text that is to be encoded for a header. Rejects line breaks and other control
   * characters except tabs, since their encoded form would hide an attack.
   */
  static String encodable(String name, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isControl(c)) {
        throw new IllegalArgumentException(
            "value of header \"" + name + "\" must not contain " + describe(c));
      }
    }
    return text;
  }

  /** Returns true if two names are equal, ignoring the case of ASCII letters. */
  static boolean sameName(String a, String b) {
    int length = a.length();
    if (b.length() != length) {
      return false;
    }
    if (a.equals(b)) { // the common case
      return true;
    }
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y && (lower(x) != lower(y))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if a string is a token (RFC 9110 section 5.6.2), as header names and methods must
   * be.
   *
   * @param text any string; an empty string is not a token
   */
  public static boolean isToken(String text) {
    return isToken(text, 0, text.length());
  }

  /** Returns true if a part of a text is a token; an empty part is not. */
  static boolean isToken(String text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (!isTokenChar(text.charAt(i))) {
        return false;
      }
    }
    return end > start;
  }

  /** Returns true if a character is allowed in tokens (RFC 9110 section 5.6.2). */
  static boolean isTokenChar(int c) {
    return c < 128 && (TOKEN[c >> 6] >>> c & 1) != 0;
  }

  /** Writes a text as a quoted string (RFC 9110 section 5.6.4). */
  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** Returns a part of a text without spaces and tabs at both ends (RFC 9110 section 5.6.3). */
  static String trim(String text, int start, int end) {
    int first = start;
    int last = end;
    while (first < last && isBlank(text.charAt(first))) {
      first++;
    }
    while (last > first && isBlank(text.charAt(last - 1))) {
      last--;
    }
    return text.substring(first, last);
  }

  static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isControl(char c) {
    return (c < ' ' && c != '\t') || c == 0x7F;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }

  private static String describe(char c) {
    if (c == '\n' || c == '\r') {
      return "a line break";
    }
    if (c < ' ' || c == 0x7F) {
      return "the control character " + escape(c);
    }
    return c > 0x7E ? "the character " + escape(c) : "'" + c + "'";
  }

  private static String shown(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), SHOWN_LENGTH); i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c > 0x7E ? escape(c) : String.valueOf(c));
    }
    return out.append(text.length() > SHOWN_LENGTH ? "..." : "").toString();
  }

  private static String escape(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format("\\u%04x", (int) c);
    };
  }
}
