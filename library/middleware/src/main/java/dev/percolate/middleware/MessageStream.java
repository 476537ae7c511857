package dev.percolate.middleware;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.CloseCode;
import dev.percolate.http.MessageInflater;
import dev.percolate.http.Utf8Check;
import dev.percolate.http.WebSocketException;
import dev.percolate.middleware.socket.SocketInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message of a {@link WebSocket} as a stream, of which only a part is in memory. Its methods
 * block until data arrives, and throw an {@link IOException} if the connection ends before the
 * message. Unread data is skipped when the stream is closed or the next message is requested.
 */
public final class MessageStream extends InputStream {

  private static final int PIECE = 8 << 10;

  private final SocketInput input;
  private final boolean text;
  private final @Nullable MessageInflater inflater;
  private final Consumer<WebSocketException> failed;
  private final Utf8Check utf8 = new Utf8Check();
  private ByteBuffer piece;
  private boolean last;
  private boolean closed;

  MessageStream(
      SocketInput input, SocketInput.Piece begin, long most, Consumer<WebSocketException> failed) {
    this.input = input;
    this.text = begin.text();
    this.failed = failed;
    this.inflater = begin.compressed() ? new MessageInflater(most) : null;
    this.piece = begin.data();
    this.last = begin.last();
    if (inflater != null) {
      inflater.input(piece, last);
      piece = ByteBuffer.allocate(0);
    }
  }

  /** Returns true if the message has text, false if it has bytes. */
  public boolean isText() {
    return text;
  }

  /** Returns a reader for the message as text. Do not also read from the stream. */
  public Reader reader() {
    return new InputStreamReader(this, StandardCharsets.UTF_8);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, to.length);
    if (length == 0) {
      return 0;
    }
    while (!piece.hasRemaining()) {
      if (closed || !fill()) {
        return -1;
      }
    }
    int count = Math.min(length, piece.remaining());
    piece.get(to, from, count);
    return count;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    piece = ByteBuffer.allocate(0);
    if (inflater != null) {
      inflater.close();
    }
    while (!last) {
      last = next().last();
    }
  }

  /** Reads more data; returns false at the end. */
  private boolean fill() throws IOException {
    try {
      return inflater == null ? fillPlain() : fillInflated(inflater);
    } catch (WebSocketException e) {
      closed = true;
      if (inflater != null) {
        inflater.close();
      }
      failed.accept(e);
      throw new IOException(e.reason(), e);
    }
  }

  private boolean fillPlain() throws IOException {
    if (last) {
      return false;
    }
    SocketInput.Piece next = next();
    piece = next.data();
    last = next.last();
    return true;
  }

  private boolean fillInflated(MessageInflater from) throws IOException, WebSocketException {
    byte[] buffer = new byte[PIECE];
    int count = from.read(buffer);
    while (count == 0 && !last) {
      SocketInput.Piece next = next();
      last = next.last();
      from.input(next.data(), last);
      count = from.read(buffer);
    }
    piece = ByteBuffer.wrap(buffer, 0, count);
    if (text && (!utf8.accepts(piece) || (count == 0 && !utf8.isComplete()))) {
      throw new WebSocketException(CloseCode.INVALID_DATA, "text must be UTF-8");
    }
    if (count == 0) {
      from.close();
      closed = true;
    }
    return count > 0;
  }

  private SocketInput.Piece next() throws IOException {
    SocketInput.Piece next = input.take();
    if (next == null) {
      last = true;
      throw new ClientDisconnectedException(null);
    }
    return next;
  }
}
