package dev.percolate.framework.path;

import org.jspecify.annotations.Nullable;

/** Matches the paths of one pattern. */
interface PathMatcher {

  // Classes of characters. Smaller numbers are the other instructions of a PathProgram.
  int ANYTHING = 5;
  int NO_SLASH = 6;
  int NO_SLASH_NO_DOT = 7;
  int DIGIT = 8;
  int WORD = 9;

  /**
   * Returns start and end of each capture in a path, -1 if a capture took no part; null if the path
   * does not match.
   *
   * @throws dev.percolate.http.HttpError 400 if matching takes too long
   */
  int @Nullable [] match(String path);

  /** Returns true if a text is at a position, optionally ignoring the case of ASCII letters. */
  static boolean startsWith(String whole, int from, String text, boolean caseless) {
    if (!caseless) {
      return whole.startsWith(text, from);
    }
    if (whole.length() - from < text.length()) {
      return false;
    }
    return equal(whole, from, text, 0, text.length());
  }

  /**
   * Returns true if the same text is at two positions, ignoring the case of ASCII letters. Compares
   * from the end, because paths of an application often start alike.
   */
  static boolean equal(String one, int from, String other, int otherFrom, int length) {
    for (int i = length - 1; i >= 0; i--) {
      char a = one.charAt(from + i);
      char b = other.charAt(otherFrom + i);
      if (a != b && lower(a) != lower(b)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a character in lower case; ASCII only. */
  static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  }

  /** Returns the class of the characters that a parameter matches. */
  static int kind(PathTranslation.Parameter parameter) {
    String expression = parameter.capture();
    if (expression == null) {
      return parameter.dot() ? NO_SLASH_NO_DOT : NO_SLASH;
    }
    return switch (expression) {
      case "(\\d+)" -> DIGIT;
      case "(\\w+)" -> WORD;
      default -> ANYTHING;
    };
  }

  /** Returns true if a character belongs to a class. */
  static boolean takes(int kind, char c) {
    return switch (kind) {
      case NO_SLASH -> c != '/';
      case NO_SLASH_NO_DOT -> c != '/' && c != '.';
      case DIGIT -> c >= '0' && c <= '9';
      case WORD -> c < 0x80 && (Character.isLetterOrDigit(c) || c == '_');
      default -> kind == ANYTHING;
    };
  }
}
