package dev.percolate.http2;

import dev.percolate.engine.BodyMemory;
import dev.percolate.http.HttpError;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Progress;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on a stream. All methods but {@link #read} are called on the event loop.
 */
final class StreamBody extends BodyBuffer {

  private final int stream;
  private final long length;
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
      BodyMemory.Reservation reservation,
      @Nullable Progress progress) {
    super(flow, length, reservation, progress);
    this.stream = stream;
    this.length = length;
  }

  @Override
  public int take(byte[] data, int from, int to) {
    add(data, from, to);
    return to;
  }

  /** Counts received bytes. Also called after the response, when the bytes are discarded. */
  void count(int bytes) throws FrameError {
    received += bytes;
    if (length >= 0 && received > length) {
      throw malformed();
    }
  }

  /** Checks that the whole body has arrived. Also called after the response. */
  void countEnd() throws FrameError {
    if (length >= 0 && received != length) {
      throw malformed();
    }
  }

  private FrameError malformed() {
    end(new HttpError(400, "malformed body", "request.malformed", null));
    return FrameError.ofStream(
        stream, ErrorCode.PROTOCOL_ERROR, "body length differs from content-length");
  }
}
