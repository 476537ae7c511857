package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request chunk by chunk; see {@link Request#read}.
 *
 * <p>Its methods are called one after the other, on the executor of the exchange.
 */
public interface ChunkReader {

  /**
   * Returns the number of bytes that the reader buffers. Called before the first chunk, which is
   * read once {@link BodyMemory} is reserved for these bytes. A reader that later needs more calls
   * {@link RequestControl#reserve}.
   *
   * @param announced the announced length of the body in bytes; negative if unknown
   * @return the number of bytes. The default is negative, for unknown: then all chunks are counted,
   *     up to the setting {@code stream limit}
   */
  default long bufferedBytes(long announced) {
    return -1;
  }

  /**
   * Returns the maximum that the reader may pass to {@link RequestControl#reserve}. Up to this size
   * the request waits for memory. More memory is granted or refused immediately.
   *
   * @param announced the announced length of the body in bytes; negative if unknown
   * @return the maximum in bytes; by default the result of {@link #bufferedBytes}
   */
  default long maxBufferedBytes(long announced) {
    return bufferedBytes(announced);
  }

  /**
   * Returns the number of bytes that the reader needs to parse the body, including the bytes that
   * it has buffered. Called after the last chunk and before {@link #done}.
   *
   * @param exact false if a quick upper bound is sufficient; called again with true if there is not
   *     enough memory for the bound
   * @return the number of bytes; by default 0
   */
  default long parsedBytes(boolean exact) {
    return 0;
  }

  /**
   * Receives the next chunk.
   *
   * @param bytes the chunk, owned by the reader from now on
   * @return true to read more; otherwise {@link #done} is called and the rest stays unread
   * @throws Exception ends the reading; passed to {@link #done}
   */
  boolean chunk(ByteBuffer bytes) throws Exception;

  /**
   * Called exactly once, when reading ends.
   *
   * @param failure null at the end of the body, or if the reader wants no more. Otherwise the
   *     exception of {@link #chunk}, {@link ClientDisconnectedException}, or an {@link HttpError},
   *     such as for a malformed body
   */
  void done(@Nullable Throwable failure);
}
