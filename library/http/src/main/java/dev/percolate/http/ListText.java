package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;

/** Splits header values at separators, like the regular expression {@code / *, *}{@code /}. */
final class ListText {
  private ListText() {}

  /**
   * Splits a text and removes spaces next to separators, but not before the first and after the
   * last item.
   */
  static List<String> split(String text, char separator) {
    List<String> items = new ArrayList<>();
    int start = 0;
    while (true) {
      int next = text.indexOf(separator, start);
      int end = next < 0 ? text.length() : next;
      int from = items.isEmpty() ? start : skipBlanks(text, start, end);
      items.add(text.substring(from, next < 0 ? end : dropBlanks(text, from, end)));
      if (next < 0) {
        return items;
      }
      start = next + 1;
    }
  }

  /**
   * Returns the non-empty elements of a list header (RFC 9110 section 5.6.1), without surrounding
   * white space. A comma in double quotes is not a separator.
   */
  static List<String> elements(String list) {
    List<String> elements = new ArrayList<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= list.length(); i++) {
      char c = i == list.length() ? ',' : list.charAt(i);
      quoted ^= (c == '"');
      if (i == list.length() || (c == ',' && !quoted)) {
        String element = list.substring(start, i).strip();
        if (!element.isEmpty()) {
          elements.add(element);
        }
        start = i + 1;
      }
    }
    return elements;
  }

  /** Returns true if a character is white space or a line terminator in ECMAScript. */
  static boolean isSpace(char c) {
    return switch (c) {
      case '\t', '\n', 0x0B, '\f', '\r', ' ', 0xA0, 0xFEFF, 0x2028, 0x2029 -> true;
      default -> c > 0xFF && Character.getType(c) == Character.SPACE_SEPARATOR;
    };
  }

  /** Removes white space at both ends, including no-break spaces. */
  static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isSpace(text.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static int skipBlanks(String text, int start, int end) {
    int i = start;
    while (i < end && text.charAt(i) == ' ') {
      i++;
    }
    return i;
  }

  private static int dropBlanks(String text, int start, int end) {
    int i = end;
    while (i > start && text.charAt(i - 1) == ' ') {
      i--;
    }
    return i;
  }
}
