package dev.percolate.inspector;

/** Limits the length of stored text that comes from clients. */
final class ShortText {

  private static final int LONGEST = 2000;

  private ShortText() {}

  /** Returns the text, cut to 2,000 characters. */
  static String cut(String text) {
    return cut(text, LONGEST);
  }

  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
