package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's body piece by piece; see {@link Request#read}.
 *
 * <p>Its methods are called one after the other on the exchange's turn.
 */
public interface ChunkReader {

  /**
   * Returns how many bytes the reader keeps while it reads. It is asked before the first piece,
   * which comes when there is room for them ({@link BodyMemory}). A reader that turns out to keep
   * more asks by {@link Request#keep}.
   *
   * @param announced how many bytes the body has; negative if that is not known
   * @return negative if that is not known, as by default: then all pieces count, up to the setting
   *     {@code stream limit}
   */
  default long keeps(long announced) {
    return -1;
  }

  /**
   * Returns the most bytes for which the reader may ask by {@link Request#keep}. Up to this size
   * the request waits for room; beyond it, room is granted at once or refused.
   *
   * @param announced how many bytes the body has; negative if that is not known
   * @return by default what {@link #keeps} returns
   */
  default long mayKeep(long announced) {
    return keeps(announced);
  }

  /**
   * Returns how many bytes the reader takes when it makes something of the body, what it keeps
   * already included; asked behind the last piece, before {@link #done}.
   *
   * @param exact false if a quick upper bound will do; it is asked again if there is no room for
   *     that
   * @return by default none
   */
  default long makes(boolean exact) {
    return 0;
  }

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
