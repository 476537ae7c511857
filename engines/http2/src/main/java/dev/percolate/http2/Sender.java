package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import dev.percolate.nio.loop.SlowClientMeter;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.ProtocolConnection;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Sends the responses of one connection. Streams send one frame each in turn, within the windows of
 * the client and the limit for unsent bytes. Used on its event loop only.
 */
final class Sender {

  /** The number of unsent bytes at which writing pauses. */
  private static final int MUCH = 64 << 10;

  /**
   * The budget that each DATA frame earns, since the client sends WINDOW_UPDATE frames in return.
   */
  private static final int EARNED = 3;

  private final ProtocolConnection connection;
  private final FrameWriter writer;
  private final FrameBudget budget;
  private final ResponseHead heads = new ResponseHead();
  private final SlowClientMeter meter = new SlowClientMeter();
  private final Deque<SendStream> ready = new ArrayDeque<>();
  private Deque<SendStream> shutOut = new ArrayDeque<>();
  private long window = PeerSettings.WINDOW;

  /** The number of bytes that the client has accepted. */
  private long sent;

  Sender(ProtocolConnection connection, FrameWriter writer, FrameBudget budget) {
    this.connection = connection;
    this.writer = writer;
    this.budget = budget;
  }

  ProtocolConnection link() {
    return connection;
  }

  /** Sets the size of the HPACK table that the client allows, in bytes. */
  void table(int size) {
    heads.table(size);
  }

  /**
   * Sends a response head. Flow control does not apply to it.
   *
   * @param length the length of the body, used if {@code headers} has none; negative if unknown
   * @throws IllegalArgumentException if a header is invalid
   */
  void head(SendStream stream, int status, Headers headers, long length, boolean ends) {
    heads.encode(status, headers, length, status >= 200);
    writer.headers(stream.id(), heads.bytes(), heads.size(), ends);
    if (ends) {
      ended(stream);
    }
  }

  /** Queues a chunk, a {@link SendStream.Piece}, or a {@link FilePump}; sends what can be sent. */
  void put(SendStream stream, Object part) {
    stream.queue.add(part);
    schedule(stream);
    pump();
  }

  /** Queues a chunk that was read from a file. */
  void moved(SendStream stream, FilePump file, ByteBuffer read) {
    stream.queue.addFirst(new SendStream.Piece(read, file.isOver(), null));
    schedule(stream);
    pump();
  }

  /** Sends frames until nothing is ready or too many bytes are unsent. */
  void pump() {
    while (!ready.isEmpty() && connection.pending() < MUCH) {
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

  /** Sends the next frame of a stream, if its windows allow. */
  private void send(SendStream stream) {
    while (!stream.over && stream.queue.peek() instanceof FilePump file) {
      if (!file.isOver()) {
        file.goOn();
        return; // it calls moved when it has read a chunk
      }
      stream.queue.remove();
    }
    if (stream.over || !(stream.queue.peek() instanceof SendStream.Piece piece)) {
      return;
    }
    ByteBuffer bytes = piece.bytes();
    if (bytes.hasRemaining()) {
      if (stream.window <= 0) {
        return; // until the client opens the window
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
        connection.mark(piece.taken());
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
      return; // an empty chunk only causes the head to be sent
    }
    writer.data(stream.id(), bytes.slice(bytes.position(), count), last);
    bytes.position(bytes.position() + count);
    stream.window -= count;
    window -= count;
    stream.sent += count;
    sent += count;
    stream.ends().moved(count);
    budget.earn(EARNED);
  }

  private void ended(SendStream stream) {
    stream.over = true;
    stream.ends().ended();
  }

  /** Enlarges the window of the connection. */
  void open(int increment) throws FrameError {
    window += increment;
    if (window > Integer.MAX_VALUE) {
      throw FrameError.ofConnection(
          ErrorCode.FLOW_CONTROL_ERROR, "the connection's window must be at most 2^31-1");
    }
    Deque<SendStream> waiting = shutOut;
    shutOut = new ArrayDeque<>();
    ready.addAll(waiting);
    pump();
  }

  /** Changes the window of a stream by a positive or negative increment. */
  void open(SendStream stream, long increment) throws FrameError {
    stream.window += increment;
    if (stream.window > Integer.MAX_VALUE) {
      throw FrameError.ofStream(
          stream.id(), ErrorCode.FLOW_CONTROL_ERROR, "the stream's window must be at most 2^31-1");
    }
    if (stream.window > 0 && !stream.queue.isEmpty()) {
      schedule(stream);
      pump();
    }
  }

  /** Returns true if responses wait for the client to open the connection's window. */
  boolean isShut() {
    return window <= 0 && !shutOut.isEmpty();
  }

  /** Returns true if the client opens the connection's window too slowly. Called periodically. */
  boolean isTooSlow(long now, ListenOptions options) {
    return meter.isTooSlow(now, sent, isShut(), options.writeTimeout(), options.minResponseRate());
  }
}
