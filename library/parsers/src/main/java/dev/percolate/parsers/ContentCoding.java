package dev.percolate.parsers;

import java.io.IOException;
import java.io.InputStream;

/**
 * Decompresses bodies in an additional content coding (RFC 9110 section 8.4.1).
 *
 * <p>{@link java.util.ServiceLoader} finds implementations. The module {@code zstd} has one. All
 * threads share one instance.
 */
public interface ContentCoding {

  /** Returns the name in {@code Content-Encoding}, in lowercase. */
  String name();

  /**
   * Opens a stream that decompresses a body.
   *
   * <p>The stream is read by one thread, in blocks, up to the limit of the parser, and is always
   * closed. It should use little memory, whatever the body requests. It ends where the compressed
   * data ends.
   *
   * @param compressed the whole body, in memory and not empty
   * @return the decompressed body; reading it throws an {@link IOException} if the data is
   *     malformed or truncated
   * @throws IOException if the data is malformed
   */
  InputStream inflate(InputStream compressed) throws IOException;
}
