package dev.percolate.parsers;

import java.nio.ByteBuffer;

/**
 * Decodes a content coding (RFC 9110 section 8.4.1) chunk by chunk, up to the limit.
 *
 * <p>Malformed data is a 400 error without a type.
 */
interface Decoder {

  /** Decodes the next chunk. */
  void add(ByteBuffer piece);

  /** Ends the body. Fails if it is truncated. By default does nothing. */
  default void end() {}

  /** Releases memory. By default does nothing. */
  default void close() {}

  /** Returns the memory needed besides input and output, such as for a window, in bytes. */
  default long workSpace() {
    return 0;
  }
}
