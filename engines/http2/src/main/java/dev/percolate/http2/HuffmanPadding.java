package dev.percolate.http2;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.http2.hpack.HPackException;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * Rejects strings of a header field with 8 or more bits of Huffman padding, which RFC 7541 section
 * 5.2 forbids and the decoder accepts. Such a string ends with a byte of ones, so only those are
 * checked.
 */
final class HuffmanPadding {

  private static final int NEVER_INDEXED_WITH_NAME = 3; // one byte for the type, two for the name

  private final HPackEncoder encoder = new HPackEncoder(0, StandardCharsets.US_ASCII);
  private final ByteArrayBuffer again = new ByteArrayBuffer(64);
  private int at;

  /**
   * Checks a decoded header field.
   *
   * @param from the index of its first byte
   * @throws HPackException if it has too much padding
   */
  void check(byte[] bytes, int from, String name, String value) throws HPackException {
    if (bytes[from] < 0) {
      return; // name and value are in a table
    }
    at = from;
    boolean named = number(bytes, (bytes[from] & 0x40) != 0 ? 6 : 4) != 0;
    if (!named) {
      checkText(bytes, name);
    }
    checkText(bytes, value);
  }

  private void checkText(byte[] bytes, String text) throws HPackException {
    boolean coded = bytes[at] < 0;
    int length = number(bytes, 7);
    at += length;
    if (coded && length > 0 && bytes[at - 1] == -1 && length > codedLength(text)) {
      throw new HPackException("Huffman padding of more than 7 bits");
    }
  }

  private int codedLength(String text) throws HPackException {
    again.clear();
    try {
      encoder.encodeHeader(again, "x", text, true);
    } catch (CharacterCodingException e) {
      throw new HPackException("string is not ASCII", e);
    }
    int begin = at;
    try {
      at = NEVER_INDEXED_WITH_NAME;
      return number(again.array(), 7);
    } finally {
      at = begin;
    }
  }

  /** Reads an integer that the decoder has already validated. */
  private int number(byte[] bytes, int bits) {
    int most = (1 << bits) - 1;
    int number = bytes[at++] & most;
    if (number == most) {
      for (int shift = 0; ; shift += 7) {
        int next = bytes[at++];
        number += (next & 0x7f) << shift;
        if (next >= 0) {
          break;
        }
      }
    }
    return number;
  }
}
