package dev.percolate.parsers;

import java.io.IOException;
import java.io.InputStream;

/**
 * Undoes a content encoding that parsers do not know by themselves (RFC 9110 section 8.4.1).
 *
 * <p>Implementations are found by {@link java.util.ServiceLoader}; the module {@code zstd} has one.
 * One object serves all threads.
 */
public interface ContentCoding {

  /** Returns the name in {@code Content-Encoding}, in lower case. */
  String name();

  /**
   * Opens a stream that inflates a body.
   *
   * <p>It is read on one thread, in blocks, no further than the parser's limit, and closed in any
   * case. It should use little memory whatever the body asks for, and ends where the data ends.
   *
   * @param compressed the body, all of it in memory and not empty
   * @return the inflated body; its reading throws an {@link IOException} where the data is
   *     malformed or cut
   * @throws IOException if the data is malformed
   */
  InputStream inflate(InputStream compressed) throws IOException;
}
