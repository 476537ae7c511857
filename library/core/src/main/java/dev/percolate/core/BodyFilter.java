package dev.percolate.core;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Transforms the body of one response while it is sent; see {@link Response#filter}.
 *
 * <p>Each method receives a chunk, possibly empty, and returns the bytes to send now, possibly
 * none. A filter may hold bytes back. The methods are called one after the other, on the thread
 * that sends the response. {@link #end} is called exactly once, unless the response is aborted. It
 * is also called for responses without a body; its result is then dropped.
 */
public interface BodyFilter {

  /**
   * Transforms a chunk of the body.
   *
   * @param piece the chunk, which must not be changed
   * @return the bytes to send now
   * @throws IOException if the body cannot continue; the connection is then closed
   */
  ByteBuffer write(ByteBuffer piece) throws IOException;

  /**
   * Transforms a chunk and releases the bytes held back, so that the client can use them. Default:
   * calls {@link #write}, for filters that hold nothing back.
   *
   * @param piece the chunk, often empty
   * @return the bytes to send now
   * @throws IOException if the body cannot continue; the connection is then closed
   */
  default ByteBuffer flush(ByteBuffer piece) throws IOException {
    return write(piece);
  }

  /**
   * Transforms the last chunk. Default: calls {@link #write}.
   *
   * @param last the chunk, possibly empty
   * @return the end of the body
   * @throws IOException if the response cannot be completed; the connection is then closed
   */
  default ByteBuffer end(ByteBuffer last) throws IOException {
    return write(last);
  }

  /**
   * Releases the resources of the filter. Called when the exchange ends, for whatever reason, on
   * any thread and possibly during another call.
   */
  default void close() {}
}
