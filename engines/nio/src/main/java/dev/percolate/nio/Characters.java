package dev.percolate.nio;

/** Character classes of HTTP messages (RFC 9110 section 5, RFC 9112). */
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

  /** Returns true if a byte is allowed in a method or header name. */
  static boolean isToken(byte b) {
    return TOKEN[b & 0xff];
  }

  /** Returns true if a character is allowed in a header name. */
  static boolean isToken(char c) {
    return c < TOKEN.length && TOKEN[c];
  }

  /** Returns true if a byte is allowed in a header value. */
  static boolean isValue(byte b) {
    return VALUE[b & 0xff];
  }

  /** Returns true if a character is allowed in a header value. */
  static boolean isValue(char c) {
    return c < VALUE.length && VALUE[c];
  }

  /** Returns true if a byte may be part of the request line. HeadGuard checks targets further. */
  static boolean isWord(byte b) {
    return b > ' ' ? b != DELETE : b < 0;
  }

  /** Returns true for a blank, which is allowed around a header value. */
  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Returns true for a decimal digit. */
  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Returns the value of a hexadecimal digit; -1 for other bytes. */
  static int hex(byte b) {
    if (isDigit(b)) {
      return b - '0';
    }
    int letter = b | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }
}
