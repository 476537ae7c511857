package dev.percolate.http2;

import dev.percolate.http.HeaderText;

/** Checks names and values of header fields (RFC 9113 section 8.2.1). */
final class Names {

  private Names() {}

  /** Returns whether a string is a lowercase header name. */
  static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        return false;
      }
    }
    return HeaderText.isToken(text);
  }

  /**
   * Returns true for a valid header value: no control characters but tab, and no leading or
   * trailing space or tab.
   */
  static boolean isValue(String text) {
    int last = text.length() - 1;
    for (int i = 0; i <= last; i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127) {
        return false;
      }
    }
    return last < 0 || !(isBlank(text.charAt(0)) || isBlank(text.charAt(last)));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
