package dev.percolate.http;

import java.nio.ByteBuffer;

/**
 * Validates UTF-8 (RFC 3629) in chunks that may end anywhere.
 *
 * <p>An invalid byte is detected when it arrives, not at the end of the text.
 */
public final class Utf8Check {

  private static final long NOT_ASCII = 0x8080808080808080L;

  /** The number of bytes missing from the current character. */
  private int missing;

  /** The range of the next byte. */
  private int low;

  private int high;

  /** Creates a validator for a new text. */
  public Utf8Check() {}

  /**
   * Validates the next chunk.
   *
   * @param piece the chunk; its position does not change
   * @return false if the text is invalid
   */
  public boolean accepts(ByteBuffer piece) {
    int end = piece.limit();
    int at = piece.position();
    while (at < end) {
      if (missing == 0 && at + Long.BYTES <= end && (piece.getLong(at) & NOT_ASCII) == 0) {
        at += Long.BYTES;
      } else if (!accepts(piece.get(at++) & 0xFF)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the text may end here: its last character is complete. */
  public boolean isComplete() {
    return missing == 0;
  }

  /** Prepares for a new text. */
  public void reset() {
    missing = 0;
  }

  private boolean accepts(int value) {
    if (missing > 0) {
      boolean fits = value >= low && value <= high;
      missing--;
      low = 0x80;
      high = 0xBF;
      return fits;
    }
    return value < 0x80 || begins(value);
  }

  /** Accepts the first byte of a multi-byte character; some limit the range of the second. */
  private boolean begins(int value) {
    low = value == 0xE0 ? 0xA0 : value == 0xF0 ? 0x90 : 0x80;
    high = value == 0xED ? 0x9F : value == 0xF4 ? 0x8F : 0xBF;
    missing = value >= 0xF0 ? 3 : value >= 0xE0 ? 2 : 1;
    return value >= 0xC2 && value <= 0xF4;
  }
}
