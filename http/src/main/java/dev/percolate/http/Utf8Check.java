package dev.percolate.http;

import java.nio.ByteBuffer;

/**
 * Checks text in UTF-8 (RFC 3629) that comes in pieces, cut anywhere.
 *
 * <p>A byte that no well-formed text can have at its place is noticed when it comes, not at the end
 * of the text.
 */
public final class Utf8Check {

  private static final long NOT_ASCII = 0x8080808080808080L;

  /** How many bytes of the character under way are still to come. */
  private int missing;

  /** Between which values the next of them must be. */
  private int low;

  private int high;

  /** Creates a check that stands at the beginning of a text. */
  public Utf8Check() {}

  /**
   * Takes the next piece.
   *
   * @param piece the piece, which is left as it is
   * @return false if the text is ill-formed, whatever follows
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

  /** Tells whether the text may end here: no character is half there. */
  public boolean isComplete() {
    return missing == 0;
  }

  /** Begins another text. */
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

  /** Takes the first byte of a character of several: some leave the second less room. */
  private boolean begins(int value) {
    low = value == 0xE0 ? 0xA0 : value == 0xF0 ? 0x90 : 0x80;
    high = value == 0xED ? 0x9F : value == 0xF4 ? 0x8F : 0xBF;
    missing = value >= 0xF0 ? 3 : value >= 0xE0 ? 2 : 1;
    return value >= 0xC2 && value <= 0xF4;
  }
}
