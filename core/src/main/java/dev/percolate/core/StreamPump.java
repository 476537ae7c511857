package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands a stream over to an exchange, each piece when the connection has taken the one before, so
 * that no thread waits for a client that reads slowly. Closes the stream in the end.
 */
final class StreamPump {

  private static final int PIECE = 32 << 10;

  private final Exchange exchange;
  private final InputStream stream;
  private long left;

  /**
   * Prepares the end of an answer whose head has been started.
   *
   * @param length how many bytes are sent, at least one; if the stream ends before, the connection
   *     is closed
   */
  StreamPump(Exchange exchange, InputStream stream, long length) {
    this.exchange = exchange;
    this.stream = stream;
    this.left = length;
  }

  /** Sends what stands behind the first bytes of the stream. */
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
      throw new EOFException("the stream ends " + (left - piece.length) + " bytes before its end");
    }
    left -= size;
    if (left > 0) {
      exchange.write(
          ByteBuffer.wrap(piece), failure -> exchange.turn().execute(() -> goOn(failure)));
    } else {
      stream.close();
      exchange.end(ByteBuffer.wrap(piece));
    }
  }

  private void goOn(@Nullable Throwable failure) {
    try {
      if (failure == null) {
        sendNext();
      } else {
        stream.close();
      }
    } catch (IOException e) {
      giveUp();
    }
  }

  private void giveUp() {
    try {
      stream.close();
    } catch (IOException e) {
      // it was open for reading only, and nobody will read it
    }
    exchange.abort();
  }
}
