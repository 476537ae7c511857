package dev.percolate.nio.protocol;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import org.jspecify.annotations.Nullable;

/** What comes over a connection behind a head. All but {@link #read} is called on the loop. */
public interface Input {

  /** Reads the next piece, which may have to come first; from any thread. */
  void read(Exchange.OnRead reader);

  /** Tells whether more is to come. */
  boolean hasMore();

  /** Tells how much may be read of the connection at once. */
  int mostRead();

  /**
   * Takes what has come.
   *
   * @return where the bytes begin that come behind it
   */
  int take(byte[] data, int from, int to);

  /** Ends it before its time, or says why there is no more; the first call counts. */
  void end(@Nullable Throwable cause);

  /** Notes that the client sends no more; tells whether it may have sent all that it wanted. */
  boolean endsWell();

  /** Tells whether the client takes too long for a piece that somebody waits for. */
  boolean isOverdue(long now, ListenOptions options);

  /** Tells whether more is left than will be taken off the connection behind a whole answer. */
  boolean leavesMuch();

  /**
   * Drops what is to come, now that the answer is given.
   *
   * @param over is called when nothing is to come any more
   */
  void discard(Runnable over);
}
