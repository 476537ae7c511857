package dev.percolate.http2;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.SlowClientMeter;
import dev.percolate.nio.protocol.FilePump;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The output queue of one stream. Used on its event loop only. */
final class SendStream {

  private final int id;
  private final Ends ends;

  /** Holds each {@link Piece}, and files that are read chunk by chunk. */
  final Deque<Object> queue = new ArrayDeque<>(2);

  private final SlowClientMeter meter = new SlowClientMeter();

  /**
   * The number of bytes that the client accepts; negative if its settings have reduced the window.
   */
  long window;

  /** The number of bytes that the client has accepted. */
  long sent;

  boolean scheduled;
  boolean over;

  /** Is notified of progress and the end of the stream. */
  interface Ends {

    /** Called when bytes have been written. */
    void moved(int bytes);

    /** Called when the last frame has been written. */
    void ended();
  }

  /**
   * A chunk of a body.
   *
   * @param last whether it ends the stream
   * @param taken called when the kernel has accepted the chunk, or null
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

  /** Returns whether data waits for the client to open the stream's window. */
  boolean isShut() {
    return !over
        && window <= 0
        && queue.peek() instanceof Piece piece
        && piece.bytes.hasRemaining();
  }

  /** Returns true if the client opens the stream's window too slowly. Called periodically. */
  boolean isTooSlow(long now, ListenOptions options) {
    return meter.isTooSlow(now, sent, isShut(), options.writeTimeout(), options.minResponseRate());
  }

  /** Discards all waiting output. */
  void drop() {
    over = true;
    if (queue.isEmpty()) {
      return; // usual case: create no exception
    }
    ClientDisconnectedException gone = new ClientDisconnectedException(null);
    for (Object one = queue.poll(); one != null; one = queue.poll()) {
      if (one instanceof FilePump file) {
        file.close();
      } else if (one instanceof Piece piece && piece.taken != null) {
        Callbacks.accept("a write callback", piece.taken::written, gone);
      }
    }
  }
}
