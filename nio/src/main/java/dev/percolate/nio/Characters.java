package dev.percolate.nio;

/** Tells which bytes may stand where in a message (RFC 9110 section 5, RFC 9112). */
final class Characters {

  private static final int DELETE = 127;
  private static final boolean[] TOKEN = new boolean[256];
  private static final boolean[] VALUE = new boolean[256];

  static {
    for (int c = '!'; c < DELETE; c++) {
      TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
    for (int c = ' '; c < VALUE.length; c++) {
      VALUE[c] = c != DELETE;
    }
    VALUE['\t'] = true;
  }

  private Characters() {}

  /** Tells whether a byte may stand in a method or in the name of a header. */
  static boolean isToken(byte b) {
    return TOKEN[b & 0xff];
  }

  /** Tells whether a character may stand in the name of a header. */
  static boolean isToken(char c) {
    return c < TOKEN.length && TOKEN[c];
  }

  /** Tells whether a byte may stand in the value of a header. */
  static boolean isValue(byte b) {
    return VALUE[b & 0xff];
  }

  /** Tells whether a character may stand in the value of a header. */
  static boolean isValue(char c) {
    return c < VALUE.length && VALUE[c];
  }

  /** Tells whether a byte may stand in a word of the request line; others are for the guard. */
  static boolean isWord(byte b) {
    return b > ' ' ? b != DELETE : b < 0;
  }

  /** Tells whether a byte is a blank that may stand around the value of a header. */
  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Returns true for a decimal digit. */
  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Returns the value of a hexadecimal digit; -1 for what is none. */
  static int hex(byte b) {
    if (isDigit(b)) {
      return b - '0';
    }
    int letter = b | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }
}
