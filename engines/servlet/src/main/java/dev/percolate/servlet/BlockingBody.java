package dev.percolate.servlet;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the body of one request from a blocking stream. Used on one thread at a time. */
final class BlockingBody {

  private static final int PIECE = 16 << 10;

  /** The maximum size of an unread body that is discarded after the response. */
  private static final int UNREAD_LIMIT = 1 << 20;

  private final RequestStreams streams;
  private final boolean announced;
  private @Nullable InputStream in;
  private boolean ended;

  BlockingBody(RequestStreams streams, Headers headers) {
    this.streams = streams;
    this.announced = announces(headers, streams.httpVersion());
    this.ended = !announced;
  }

  /** Returns true if the request has a body, even an empty one. */
  boolean announced() {
    return announced;
  }

  /** Returns true if the end of the body was reached. */
  boolean ended() {
    return ended;
  }

  /** Waits for the next chunk; returns null at the end. */
  @Nullable ByteBuffer next() throws IOException {
    if (ended) {
      return null;
    }
    InputStream from = in;
    if (from == null) {
      from = streams.body();
      in = from;
    }
    byte[] piece = new byte[PIECE];
    int count = from.read(piece);
    ended = count < 0;
    return ended ? null : ByteBuffer.wrap(piece, 0, count);
  }

  /** Discards the unread body, up to a limit, so that the connection can be reused. */
  void discard() {
    try {
      int unread = 0;
      for (ByteBuffer piece = next(); piece != null && unread < UNREAD_LIMIT; piece = next()) {
        unread += piece.remaining();
      }
    } catch (IOException | RuntimeException e) {
      ended = true; // the response was sent, the body is not needed
    }
  }

  /** Returns the error for the reader of the body, given an error of the stream. */
  static Throwable failure(Exception error) {
    if (error instanceof SocketTimeoutException || error.getCause() instanceof TimeoutException) {
      return new HttpError(408, "request timed out", "request.timeout", error);
    }
    if (error instanceof IOException) {
      return error instanceof ClientDisconnectedException
          ? error
          : new ClientDisconnectedException(error);
    }
    return new HttpError(400, "malformed body", "request.malformed", error);
  }

  private static boolean announces(Headers headers, String httpVersion) {
    String length = headers.get("Content-Length");
    return headers.contains("Transfer-Encoding")
        || (length == null ? httpVersion.equals("2.0") : !length.isEmpty());
  }
}
