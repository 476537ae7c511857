package dev.percolate.http2;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.nio.protocol.FilePump;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What waits to go out on one stream, in order; used on its loop only. */
final class SendStream {

  private final int id;
  private final Ends ends;

  /** Pieces, and files that are read piece by piece. */
  final Deque<Object> queue = new ArrayDeque<>(2);

  final Stall stall = new Stall();

  /** How much the client takes; less than nothing where its settings have taken some back. */
  long window;

  boolean scheduled;
  boolean over;

  /** Is notified of what becomes of it. */
  interface Ends {

    /** Notes that a piece has gone out. */
    void moved(int bytes);

    /** Notes that the last piece has. */
    void ended();
  }

  /**
   * A piece of a body.
   *
   * @param last whether the stream ends behind it
   * @param taken is called when the kernel has it; null if nobody wants to know
   */
  record Piece(ByteBuffer bytes, boolean last, Exchange.@Nullable OnWritten taken) {}

  SendStream(int id, int window, Ends ends) {
    this.id = id;
    this.window = window;
    this.ends = ends;
  }

  int id() {
    return id;
  }

  Ends ends() {
    return ends;
  }

  /** Tells whether the client keeps it waiting. */
  boolean isShut() {
    return !over
        && window <= 0
        && queue.peek() instanceof Piece piece
        && piece.bytes.hasRemaining();
  }

  /** Drops what waits, if anything does: nobody is to get it any more. */
  void drop() {
    over = true;
    if (queue.isEmpty()) {
      return; // as a rule; an exception is not made for nothing
    }
    ClientGone gone = new ClientGone(null);
    for (Object one = queue.poll(); one != null; one = queue.poll()) {
      if (one instanceof FilePump file) {
        file.close();
      } else if (one instanceof Piece piece && piece.taken != null) {
        tell(piece.taken, gone);
      }
    }
  }

  /** Calls back. Logs a failure, so that other callbacks still run. */
  private static void tell(Exchange.OnWritten taken, ClientGone gone) {
    try {
      taken.written(gone);
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of a write", thrown);
    }
  }
}
