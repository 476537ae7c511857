package dev.percolate.parsers;

import java.nio.ByteBuffer;

/**
 * Undoes a content encoding (RFC 9110 section 8.4.1), piece by piece, no further than the limit.
 *
 * <p>Malformed data is an error 400 without a type.
 */
interface Decoder {

  /** Takes the next piece. */
  void add(ByteBuffer piece);

  /** Takes note of the end of the body; fails if something is missing. */
  void end();

  /** Releases memory. */
  void close();

  /** Returns what it takes in memory beside what it reads and writes, such as a window. */
  default long workSpace() {
    return 0;
  }
}
