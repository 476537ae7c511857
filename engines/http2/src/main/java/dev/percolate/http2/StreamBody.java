package dev.percolate.http2;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.HttpError;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Progress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on a stream. All methods but {@link #read} are called on the event loop.
 */
final class StreamBody {

  private final int stream;
  private final long length;
  private final BodyBuffer buffer;
  private long received;

  /**
   * Creates a body.
   *
   * @param length the value of {@code Content-Length}; -1 if it is absent
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

  /** Pauses the stream if there is no memory for its body yet. */
  void begin() {
    buffer.begin();
  }

  /** Reads the next chunk, or waits until it arrives. May be called from any thread. */
  void read(Exchange.OnRead reader) {
    buffer.read(reader);
  }

  /** Adds received bytes to the buffer. */
  void take(byte[] bytes, int from, int to) throws FrameError {
    count(to - from);
    buffer.offer(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)));
  }

  /** Counts received bytes. Also called after the response, when the bytes are discarded. */
  void count(int bytes) throws FrameError {
    received += bytes;
    if (length >= 0 && received > length) {
      throw malformed();
    }
  }

  /** Ends the body after its last byte. */
  void end() throws FrameError {
    countEnd();
    buffer.end(null);
  }

  /** Checks that the whole body has arrived. Also called after the response. */
  void countEnd() throws FrameError {
    if (length >= 0 && received != length) {
      throw malformed();
    }
  }

  /** Ends the body early, with a failure. */
  void fail(Throwable cause) {
    buffer.end(cause);
  }

  /** Returns whether a handler waits for the next chunk. */
  boolean isAwaited() {
    return buffer.isAwaited();
  }

  /** Returns true if a handler waits for a chunk and the client is too slow. */
  boolean isOverdue(long now, ListenOptions options) {
    return buffer.isOverdue(now, options);
  }

  /** Returns true if the unread rest of the body is too large to read and discard. */
  boolean leavesMuch() {
    return length >= 0 && buffer.leaves(length);
  }

  /** Discards the buffered bytes. */
  void discard() {
    buffer.discard(() -> {});
  }

  private FrameError malformed() {
    buffer.end(new HttpError(400, "malformed body", "request.malformed", null));
    return FrameError.ofStream(
        stream, ErrorCode.PROTOCOL_ERROR, "body length differs from content-length");
  }
}
