package dev.percolate.http2;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.engine.loop.Progress;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The body of a request, as it comes on its stream. All but {@link #read} is used on the loop. */
final class StreamBody {

  private final int stream;
  private final long length;
  private final BodyBuffer buffer;
  private long received;

  /**
   * Creates a body.
   *
   * @param length as the headers say; -1 if they do not
   */
  StreamBody(
      int stream,
      long length,
      BodyBuffer.Flow flow,
      BodyMemory.Room room,
      @Nullable Progress progress) {
    this.stream = stream;
    this.length = length;
    this.buffer = new BodyBuffer(flow, room, progress);
  }

  /** Lets it in. */
  void begin() {
    buffer.begin();
  }

  /** Reads the next piece, which may have to come first; from any thread. */
  void read(Exchange.OnRead reader) {
    buffer.read(reader);
  }

  /** Takes what has come. */
  void take(byte[] bytes, int from, int to) throws FrameError {
    count(to - from);
    buffer.offer(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)));
  }

  /** Counts what has come, also after the answer. */
  void count(int bytes) throws FrameError {
    received += bytes;
    if (length >= 0 && received > length) {
      throw malformed();
    }
  }

  /** Notes that all has come. */
  void end() throws FrameError {
    countEnd();
    buffer.end(null);
  }

  /** Checks that all has come, also after the answer. */
  void countEnd() throws FrameError {
    if (length >= 0 && received != length) {
      throw malformed();
    }
  }

  /** Ends it before its time. */
  void fail(Throwable cause) {
    buffer.end(cause);
  }

  /** Returns whether a handler waits for the next piece. */
  boolean isAwaited() {
    return buffer.isAwaited();
  }

  /** Tells whether the client takes too long for a piece that somebody waits for. */
  boolean isOverdue(long now, ListenOptions options) {
    return buffer.isOverdue(now, options);
  }

  /** Tells whether more is left than makes sense to take behind the answer. */
  boolean leavesMuch() {
    return length >= 0 && buffer.leaves(length);
  }

  /** Drops what is here. */
  void discard() {
    buffer.discard(() -> {});
  }

  private FrameError malformed() {
    buffer.end(new HttpError(400, "malformed body", "request.malformed", null));
    return FrameError.ofStream(stream, ErrorCode.PROTOCOL_ERROR, "a body of another length");
  }
}
