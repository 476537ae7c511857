package dev.percolate.parsers;

/** Makes text of bytes; malformed ones become U+FFFD. */
@FunctionalInterface
interface TextDecoder {

  /**
   * Decodes a whole body.
   *
   * @param bytes the body
   * @return its text, without a byte order mark
   */
  String decode(byte[] bytes);
}
