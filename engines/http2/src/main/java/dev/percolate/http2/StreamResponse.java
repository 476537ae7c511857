package dev.percolate.http2;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.http.Headers;
import dev.percolate.nio.protocol.ExchangeLoop;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.LoopExchange;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The response on one stream. Used on the event loop only, except {@link #start}. */
final class StreamResponse implements SendStream.Ends {

  private static final System.Logger LOG = System.getLogger("dev.percolate.http2");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final LoopExchange exchange;
  private final Sender sender;
  private final SendStream stream;
  private final boolean head;
  private final Runnable sent;
  private int status;
  private @Nullable Headers headers;
  private boolean begun;
  private boolean bodyless;
  private boolean ended;

  /** The position of the head in the connection's output; -1 before it is written. */
  private long headAt = -1;

  private boolean lost;
  private @Nullable Throwable failure;

  /**
   * Creates the response of an exchange.
   *
   * @param window the client's initial window, in bytes
   * @param head whether the request method is HEAD
   * @param sent called when the last frame is written
   */
  StreamResponse(
      LoopExchange exchange, Sender sender, int id, int window, boolean head, Runnable sent) {
    this.exchange = exchange;
    this.sender = sender;
    this.stream = new SendStream(id, window, this);
    this.head = head;
    this.sent = sent;
  }

  SendStream stream() {
    return stream;
  }

  /** Sets the head, which is sent with the first bytes of the body. */
  void start(int with, Headers lines) {
    status = with;
    headers = lines;
  }

  /** Returns whether {@link #start} was called. */
  boolean isStarted() {
    return headers != null || begun;
  }

  /** Returns true if the kernel has accepted part of the head or will do so. */
  boolean isHeadSent() {
    return headAt >= 0 && (!lost || sender.link().written() > headAt);
  }

  /** Returns the status code that was sent: 500 if the head could not be encoded. */
  int sentStatus() {
    return failure == null ? status : 500;
  }

  /** Called when the connection is closed. Waiting output is not sent. */
  void lost() {
    lost = true;
  }

  /** Sends {@code 100 Continue}, unless the response has started. */
  void writeContinue() {
    if (!isStarted() && !stream.over) {
      sender.head(stream, 100, new Headers(), -1, false);
    }
  }

  /** Sends a head. The caller then resets the stream. */
  void reject(int with, Headers lines) {
    begun = true;
    sender.head(stream, with, lines, -1, false);
  }

  /** Sends the head after which the stream carries another protocol (RFC 8441 section 4). */
  void upgrade(Headers lines) {
    if (!stream.over && !begun) {
      start(200, lines);
      if (writeHead(-1, false)) {
        sender.pump();
      }
    }
  }

  void write(ByteBuffer bytes, Exchange.OnWritten callback) {
    if (stream.over || ended) {
      callback.written(new ClientDisconnectedException(null));
      return;
    }
    if (!writeHead(-1, false)) {
      callback.written(failure);
      return;
    }
    Exchange.OnWritten taken = exchange.owed(callback);
    sender.put(stream, new SendStream.Piece(bodyless ? NOTHING : bytes.slice(), false, taken));
  }

  void end(ByteBuffer last) {
    if (isLate()) {
      return;
    }
    boolean whole = !begun && (isBodyless() || !last.hasRemaining());
    if (writeHead(last.remaining(), whole) && !whole) {
      sender.put(stream, new SendStream.Piece(bodyless ? NOTHING : last.slice(), true, null));
    }
  }

  void sendFile(FileChannel file, long offset, long length, ExchangeLoop loop, Executor threads) {
    if (isLate()) {
      FilePump.close(file);
      return;
    }
    boolean whole = !begun && (isBodyless() || length == 0);
    if (!writeHead(length, whole) || whole) {
      FilePump.close(file);
      return;
    }
    if (bodyless || length == 0) {
      FilePump.close(file);
      sender.put(stream, new SendStream.Piece(NOTHING, true, null));
      return;
    }
    FilePump.Progress progress = (pump, step) -> loop.execute(() -> moved(pump, step), pump::close);
    sender.put(stream, new FilePump(file, offset, length, null, threads, progress));
  }

  private void moved(FilePump file, FilePump.Step step) {
    ByteBuffer read = step.read();
    if (stream.over) {
      file.close();
    } else if (step.failure() != null || read == null) {
      file.close();
      exchange.abort();
    } else {
      boolean ignored = file.moved(step);
      sender.moved(stream, file, read);
    }
  }

  /**
   * Returns true if the stream or the response has ended. Otherwise marks the response as ended.
   */
  private boolean isLate() {
    if (stream.over || ended) {
      exchange.hungUp();
      return true;
    }
    ended = true;
    exchange.owes();
    return false;
  }

  private boolean isBodyless() {
    return head || status == 204 || status == 304;
  }

  /** Sends the head, unless it has been sent. Returns false if it could not be encoded. */
  private boolean writeHead(long length, boolean ends) {
    Headers from = headers;
    if (begun || from == null) {
      return true;
    }
    bodyless = isBodyless();
    headers = null;
    begun = true;
    headAt = sender.link().written() + sender.link().pending();
    try {
      sender.head(stream, status, from, bodyless ? -1 : length, ends);
      return true;
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Failed to encode a response head; sent status 500.", e);
      failure = e;
      if (!ended) {
        ended = true;
        exchange.owes();
      }
      sender.head(stream, 500, new Headers(), 0, true);
      return false;
    }
  }

  @Override
  public void moved(int bytes) {
    exchange.moved(bytes);
  }

  @Override
  public void ended() {
    sender.link().mark(this::reached);
    sent.run();
  }

  private void reached(@Nullable Throwable cause) {
    lost |= cause != null;
    try {
      exchange.pays();
    } finally {
      boolean ignored = exchange.over(failure == null ? cause : failure);
    }
  }
}
