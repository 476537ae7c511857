package dev.percolate.nio.loop;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that follow the head of a request. All methods except {@link #read} are called on the
 * loop.
 */
public interface Input {

  /** Reads the next chunk, now or when it arrives. May be called on any thread. */
  void read(Exchange.OnRead reader);

  /** Returns true until the end of the input. */
  boolean hasMore();

  /** Returns the maximum number of bytes to read from the connection at once. */
  int mostRead();

  /**
   * Receives bytes from the connection.
   *
   * @return the index after the last byte that belongs to this input
   */
  int take(byte[] data, int from, int to);

  /** Ends the input, with a failure if it ends early. Only the first call has an effect. */
  void end(@Nullable Throwable cause);

  /** Called when the client has closed its output. Returns true if the input may be complete. */
  boolean endsWell();

  /** Returns true if a handler waits for a chunk and the client takes too long to send it. */
  boolean isOverdue(long now, ListenOptions options);

  /** Returns true if too much is left to read and discard it after a complete response. */
  boolean leavesMuch();

  /**
   * Discards the rest of the input after the response.
   *
   * @param over called when the input has ended
   */
  void discard(Runnable over);
}
