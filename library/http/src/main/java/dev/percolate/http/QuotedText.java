package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;

/** Splits lists whose items may contain quoted strings (RFC 9110 sections 5.6.1 and 5.6.4). */
final class QuotedText {

  private QuotedText() {}

  /** Splits a text at unquoted separators, and removes white space around the items. */
  static List<String> split(String text, char separator) {
    List<String> items = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && quoted) {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        items.add(ListText.trim(text.substring(start, i)));
        start = i + 1;
      }
    }
    items.add(ListText.trim(text.substring(start)));
    return items;
  }

  /** Returns the content of a quoted string; other text is returned unchanged. */
  static String unquoted(String text) {
    int last = text.length() - 1;
    if (last < 1 || text.charAt(0) != '"' || text.charAt(last) != '"') {
      return text;
    }
    StringBuilder plain = new StringBuilder(last);
    for (int i = 1; i < last; i++) {
      boolean escaped = text.charAt(i) == '\\' && i + 1 < last;
      plain.append(text.charAt(escaped ? ++i : i));
    }
    return plain.toString();
  }
}
