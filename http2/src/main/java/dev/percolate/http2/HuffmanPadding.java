package dev.percolate.http2;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.http2.hpack.HPackException;
import org.apache.hc.core5.util.ByteArrayBuffer;

/**
 * Tells whether the texts of a line are padded by a whole byte or more, which RFC 7541 section 5.2
 * does not allow, and the decoder does. Only a text whose last byte has ones alone can be.
 */
final class HuffmanPadding {

  private static final int NEVER_INDEXED_WITH_NAME = 3; // a byte of its kind, and a name of one

  private final HPackEncoder encoder = new HPackEncoder(0, StandardCharsets.US_ASCII);
  private final ByteArrayBuffer again = new ByteArrayBuffer(64);
  private int at;

  /**
   * Looks at a line that has been decoded.
   *
   * @param from where it begins
   * @throws HPackException if it is padded by too much
   */
  void check(byte[] bytes, int from, String name, String value) throws HPackException {
    if (bytes[from] < 0) {
      return; // all of it is in a table
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
      throw new HPackException("more padding than 7 bits");
    }
  }

  private int codedLength(String text) throws HPackException {
    again.clear();
    try {
      encoder.encodeHeader(again, "x", text, true);
    } catch (CharacterCodingException e) {
      throw new HPackException("no text", e);
    }
    int begin = at;
    try {
      at = NEVER_INDEXED_WITH_NAME;
      return number(again.array(), 7);
    } finally {
      at = begin;
    }
  }

  /** Reads a number that the decoder has found to be one. */
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
