package dev.percolate.dev;

/** Bounds what is kept and shown of texts that clients choose. */
final class ShortText {

  private static final int LONGEST = 2000;

  private ShortText() {}

  /** Returns a text, or its first 2000 characters. */
  static String cut(String text) {
    return cut(text, LONGEST);
  }

  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
