package dev.percolate.http;

import java.util.function.IntPredicate;

/** Reads a text from left to right. */
class TextScanner {

  final String text;

  /** The index of the next character. */
  int at;

  TextScanner(String text, int at) {
    this.text = text;
    this.at = at;
  }

  final boolean isAtEnd() {
    return at >= text.length();
  }

  final boolean isNext(char c) {
    return !isAtEnd() && text.charAt(at) == c;
  }

  /** Skips a character if it is next, and returns whether it is. */
  final boolean skip(char c) {
    boolean found = isNext(c);
    if (found) {
      at++;
    }
    return found;
  }

  /** Skips all of the given characters that are next. */
  final void skipAll(String characters) {
    while (!isAtEnd() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** Returns and skips the next characters that a predicate accepts. */
  final String take(IntPredicate accepted) {
    int start = at;
    while (!isAtEnd() && accepted.test(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }
}
