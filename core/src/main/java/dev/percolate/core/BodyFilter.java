package dev.percolate.core;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Changes the body of one answer on its way out; see {@link Response#filter}.
 *
 * <p>Each method takes a piece, perhaps an empty one, and gives what is sent for it now, perhaps
 * nothing: a filter may hold bytes back. They are called one after the other, on the thread that
 * answers; {@link #end} exactly once unless the answer breaks off, and also for answers without a
 * body, where what it gives is dropped.
 */
public interface BodyFilter {

  /**
   * Takes a piece of the body.
   *
   * @param piece the piece, not to be changed
   * @return what is sent now
   * @throws IOException if the body cannot go on
   */
  ByteBuffer write(ByteBuffer piece) throws IOException;

  /**
   * Takes a piece and gives up what was held back, so that the client can use it.
   *
   * @param piece the piece, often empty
   * @return what is sent now
   * @throws IOException if the body cannot go on
   */
  ByteBuffer flush(ByteBuffer piece) throws IOException;

  /**
   * Takes the last piece.
   *
   * @param last the piece, perhaps empty
   * @return the end of the body
   * @throws IOException if the answer cannot be ended; the connection is closed
   */
  ByteBuffer end(ByteBuffer last) throws IOException;

  /**
   * Releases what the filter holds. Called when the exchange is over, whatever became of it, from
   * any thread and perhaps during another call.
   */
  default void close() {}
}
