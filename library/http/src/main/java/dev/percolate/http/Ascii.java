package dev.percolate.http;

/** Classifies ASCII characters. All other characters belong to no class. */
final class Ascii {

  private static final String HEX = "0123456789abcdef";

  private Ascii() {}

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isLetter(int c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  static boolean isAlphanumeric(int c) {
    return isLetter(c) || isDigit(c);
  }

  /** Returns the value of a hexadecimal digit; -1 for other characters. */
  static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1; // digit also accepts digits of other scripts
  }

  /** Returns true if a text has only ASCII characters. */
  static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }

  /** Returns the index after the digits that begin at an index. */
  static int skipDigits(String text, int from) {
    int i = from;
    while (i < text.length() && isDigit(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** Returns the index of the first of some characters; the length of the text if there is none. */
  static int firstOf(String characters, String text, int from) {
    int i = from;
    while (i < text.length() && characters.indexOf(text.charAt(i)) < 0) {
      i++;
    }
    return i;
  }

  /** Returns the index of the next occurrence of a character; the length if there is none. */
  static int indexOrEnd(String text, char c, int from) {
    int index = text.indexOf(c, from);
    return index < 0 ? text.length() : index;
  }

  /** Appends the escape of a character in JSON: a backslash, a letter and four digits. */
  static void appendEscape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX.charAt(c >> shift & 15));
    }
  }
}
