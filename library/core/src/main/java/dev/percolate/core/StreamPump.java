package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream in chunks. Each chunk is sent when the connection has accepted the one before, so
 * that no thread waits for a slow client. Closes the stream at the end.
 */
final class StreamPump {

  private static final int PIECE = 32 << 10;

  private final Exchange exchange;
  private final InputStream stream;
  private long left;

  /**
   * Creates a pump for a response whose head has been sent.
   *
   * @param length the number of bytes to send, at least one; if the stream is shorter, the
   *     connection is closed
   */
  StreamPump(Exchange exchange, InputStream stream, long length) {
    this.exchange = exchange;
    this.stream = stream;
    this.left = length;
  }

  /** Skips the first bytes of the stream and sends the following ones. */
  void startAt(long offset) {
    try {
      stream.skipNBytes(offset);
      sendNext();
    } catch (IOException e) {
      giveUp();
    }
  }

  private void sendNext() throws IOException {
    int size = (int) Math.min(PIECE, left);
    byte[] piece = stream.readNBytes(size);
    if (piece.length < size) {
      throw new EOFException("the stream ended " + (left - piece.length) + " bytes too early");
    }
    left -= size;
    if (left > 0) {
      exchange.write(
          ByteBuffer.wrap(piece), failure -> exchange.executor().execute(() -> goOn(failure)));
    } else {
      stream.close();
      exchange.end(ByteBuffer.wrap(piece));
    }
  }

  private void goOn(@Nullable Throwable failure) {
    if (failure != null) {
      giveUp(); // a filter may have failed, so the client may still wait
      return;
    }
    try {
      sendNext();
    } catch (IOException e) {
      giveUp();
    }
  }

  private void giveUp() {
    try {
      stream.close();
    } catch (IOException e) {
      // no data can be lost, since the stream was only read
    }
    exchange.abort();
  }
}
