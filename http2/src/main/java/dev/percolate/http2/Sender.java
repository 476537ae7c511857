package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.Link;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends the answers of one connection: each stream that may send a frame does so in turn, as far as
 * the windows of the client are open, and as it takes what was sent before. Used on its loop only.
 */
final class Sender {

  /** How much may wait for the kernel until no more is written. */
  private static final int MUCH = 64 << 10;

  /** How many frames of a client a frame with content may bring: those that open windows. */
  private static final int EARNED = 3;

  private final Link link;
  private final FrameWriter writer;
  private final FrameBudget budget;
  private final ResponseHead heads = new ResponseHead();
  private final Stall stall = new Stall();
  private final Deque<SendStream> ready = new ArrayDeque<>();
  private Deque<SendStream> shutOut = new ArrayDeque<>();
  private long window = PeerSettings.WINDOW;

  Sender(Link link, FrameWriter writer, FrameBudget budget) {
    this.link = link;
    this.writer = writer;
    this.budget = budget;
  }

  Link link() {
    return link;
  }

  /** Takes the size of the table that the client has for heads. */
  void table(int size) {
    heads.table(size);
  }

  /**
   * Sends a head, which no window holds back.
   *
   * @param length that of the body, if the headers do not say so; negative if it is not known
   * @throws IllegalArgumentException if it cannot be sent
   */
  void head(SendStream stream, int status, Headers headers, long length, boolean ends) {
    heads.encode(status, headers, length, status >= 200);
    writer.headers(stream.id(), heads.bytes(), heads.size(), ends);
    if (ends) {
      ended(stream);
    }
  }

  /** Sends a piece, when it can be. */
  void put(SendStream stream, SendStream.Piece piece) {
    stream.queue.add(piece);
    schedule(stream);
    pump();
  }

  /** Sends a file, when it can be. */
  void put(SendStream stream, FilePump file) {
    stream.queue.add(file);
    schedule(stream);
    pump();
  }

  /** Goes on with a file of which a piece has been read. */
  void moved(SendStream stream, FilePump file, ByteBuffer read) {
    stream.queue.addFirst(new SendStream.Piece(read, file.isOver(), null));
    schedule(stream);
    pump();
  }

  /** Sends what can be sent now. */
  void pump() {
    while (!ready.isEmpty() && link.pending() < MUCH) {
      SendStream next = ready.remove();
      next.scheduled = false;
      send(next);
    }
  }

  private void schedule(SendStream stream) {
    if (!stream.scheduled && !stream.over) {
      stream.scheduled = true;
      ready.add(stream);
    }
  }

  /** Sends a frame of a stream, if it has one, and may. */
  private void send(SendStream stream) {
    while (!stream.over && stream.queue.peek() instanceof FilePump file) {
      if (!file.isOver()) {
        file.goOn();
        return; // it tells when it has
      }
      stream.queue.remove();
    }
    if (stream.over || !(stream.queue.peek() instanceof SendStream.Piece piece)) {
      return;
    }
    ByteBuffer bytes = piece.bytes();
    if (bytes.hasRemaining()) {
      if (stream.window <= 0) {
        return; // until the client opens it
      }
      if (window <= 0) {
        stream.scheduled = true;
        shutOut.add(stream);
        return;
      }
    }
    long most = Math.min(Math.min(stream.window, window), FrameType.MOST);
    int count = (int) Math.min(bytes.remaining(), Math.max(0, most));
    boolean whole = count == bytes.remaining();
    write(stream, bytes, count, whole && piece.last());
    if (whole) {
      stream.queue.remove();
      if (piece.taken() != null) {
        link.mark(piece.taken());
      }
      if (piece.last()) {
        ended(stream);
        return;
      }
    }
    if (!stream.queue.isEmpty()) {
      schedule(stream);
    }
  }

  private void write(SendStream stream, ByteBuffer bytes, int count, boolean last) {
    if (count == 0 && !last) {
      return; // an empty piece only sends the head
    }
    writer.data(stream.id(), bytes.slice(bytes.position(), count), last);
    bytes.position(bytes.position() + count);
    stream.window -= count;
    window -= count;
    stream.stall.moved(count);
    stall.moved(count);
    stream.ends().moved(count);
    budget.earn(EARNED);
  }

  private void ended(SendStream stream) {
    stream.over = true;
    stream.ends().ended();
  }

  /** Opens the window of the connection further. */
  void open(int increment) throws FrameError {
    window += increment;
    if (window > Integer.MAX_VALUE) {
      throw FrameError.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "too large a window");
    }
    Deque<SendStream> waiting = shutOut;
    shutOut = new ArrayDeque<>();
    ready.addAll(waiting);
    pump();
  }

  /** Opens the window of a stream further, or shuts it. */
  void open(SendStream stream, long increment) throws FrameError {
    stream.window += increment;
    if (stream.window > Integer.MAX_VALUE) {
      throw FrameError.ofStream(stream.id(), ErrorCode.FLOW_CONTROL_ERROR, "too large a window");
    }
    if (stream.window > 0 && !stream.queue.isEmpty()) {
      schedule(stream);
      pump();
    }
  }

  /** Tells whether the window of the connection keeps answers back. */
  boolean isShut() {
    return window <= 0 && !shutOut.isEmpty();
  }

  /** Tells whether the client takes too long to let us send anything at all. */
  boolean isStuck(long now, ListenOptions options) {
    return stall.isTooSlow(now, isShut(), options);
  }
}
