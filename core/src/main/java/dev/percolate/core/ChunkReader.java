package dev.percolate.core;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's body piece by piece; see {@link Request#read}.
 *
 * <p>Its methods are called one after the other on the exchange's turn.
 */
public interface ChunkReader {

  /**
   * Takes the next piece.
   *
   * @param bytes the piece, owned by the reader from now on
   * @return whether more is wanted; if not, {@link #done} follows and the rest stays unread
   * @throws Exception ends the reading; {@link #done} gets it
   */
  boolean chunk(ByteBuffer bytes) throws Exception;

  /**
   * Takes note of the end; called exactly once.
   *
   * @param failure null at the end of the body, or after enough has been read. Else what {@link
   *     #chunk} threw, {@link ClientGone}, or an {@link HttpError} if the body is malformed
   */
  void done(@Nullable Throwable failure);
}
