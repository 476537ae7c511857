package dev.percolate.servlet;

import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Writes one response to a blocking stream, and flushes each chunk. */
final class BlockingResponse {

  /** More bytes than any stream buffers, so the head has been sent before them. */
  private static final int PIECE = 64 << 10;

  private final RequestStreams streams;
  private final BlockingBody body;
  private int status;
  private @Nullable Headers head;
  private @Nullable OutputStream out;
  private @Nullable OutputStream open;
  private boolean framed;
  private volatile boolean sent;

  /** An operation on a response or a connection. */
  @FunctionalInterface
  interface Sending {

    void send() throws IOException;
  }

  BlockingResponse(RequestStreams streams, BlockingBody body) {
    this.streams = streams;
    this.body = body;
  }

  /** Sets the head, which is sent with the first bytes of the body. */
  void start(int status, Headers headers) {
    this.status = status;
    this.head = headers;
  }

  /** Returns true if the head has been set. */
  boolean isStarted() {
    return head != null;
  }

  /** Returns true if the head has been set but not sent. */
  boolean isUnsent() {
    return head != null && !sent;
  }

  void write(ByteBuffer bytes) throws IOException {
    write(bytes, out(-1));
  }

  void end(ByteBuffer last) throws IOException {
    OutputStream to = out(last.remaining());
    write(last, to);
    end(to);
  }

  void sendFile(FileChannel file, long offset, long length) throws IOException {
    OutputStream to = out(length);
    byte[] piece = new byte[PIECE];
    ByteBuffer buffer = ByteBuffer.wrap(piece);
    long copied = 0;
    while (copied < length) {
      buffer.clear().limit((int) Math.min(piece.length, length - copied));
      int count = file.read(buffer, offset + copied);
      if (count < 0) {
        throw new EOFException("file ends before byte " + (offset + length));
      }
      sending(() -> to.write(piece, 0, count));
      copied += count;
    }
    sending(to::flush);
    end(to);
  }

  /** Reads the rest of the request and closes the stream. May block for a long time. */
  void close() throws IOException {
    OutputStream to = open;
    open = null;
    if (to != null) {
      body.discard();
      to.close();
    }
  }

  /** Returns the stream for the body. Sends the head if it has not been sent. */
  private OutputStream out(long whole) throws IOException {
    OutputStream to = out;
    if (to == null) {
      Headers headers = head;
      if (headers == null) {
        throw new IllegalStateException("write() called before start()");
      }
      long length = length(headers, whole);
      to = streams.start(status, headers, length);
      framed = length >= 0;
      out = to;
    }
    return to;
  }

  private long length(Headers headers, long whole) {
    if (streams.method().equals("HEAD") || !Status.hasBody(status)) {
      return 0;
    }
    String announced = headers.get("Content-Length");
    return announced == null ? whole : ContentLength.exact(announced);
  }

  private void write(ByteBuffer bytes, OutputStream to) throws IOException {
    byte[] from;
    int offset;
    if (bytes.hasArray()) {
      from = bytes.array();
      offset = bytes.arrayOffset() + bytes.position();
    } else {
      from = new byte[bytes.remaining()];
      offset = 0;
      bytes.duplicate().get(from);
    }
    int first = Math.min(PIECE, bytes.remaining());
    sending(() -> to.write(from, offset, first));
    if (first < bytes.remaining()) {
      sending(() -> to.write(from, offset + first, bytes.remaining() - first));
    }
    sending(to::flush);
  }

  /**
   * Performs a write or a flush. The head counts as sent during the call: a container sends the
   * last byte of a known length at once, and the client may end the exchange before the call
   * returns. Afterwards the container says whether it has sent the head, also if the call fails.
   */
  private void sending(Sending call) throws IOException {
    boolean before = sent;
    sent = true;
    try {
      call.send();
    } finally {
      sent = before || streams.committed();
    }
  }

  /**
   * Closes the stream, or keeps it open if the request is still arriving and the response is
   * complete.
   */
  private void end(OutputStream to) throws IOException {
    if (framed && !body.ended()) {
      open = to;
    } else {
      to.close();
    }
  }
}
