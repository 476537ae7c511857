package dev.percolate.vertx;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.loop.Progress;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The answer of one exchange, as it goes out; used on the loop only. */
final class VertxAnswer {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  private static final AsciiString DATE = HeaderLine.name("Date");

  /**
   * What a client of HTTP/2 takes at least to be one that reads. The engine tells of whole pieces
   * only, so larger ones are handed to it in parts of this size.
   */
  private static final int PART = 16 << 10;

  private final VertxExchange exchange;
  private final HttpServerResponse response;
  private final boolean multiplexed;
  private final @Nullable Progress progress;
  private @Nullable Head head;
  private @Nullable Region region;
  private boolean closes;

  /** Pieces that the client has not taken yet. */
  private int unwritten;

  /** Parts of pieces that it has taken. */
  private long taken;

  /** What had been taken when it was looked at; nothing like it before, so the time counts anew. */
  private long stuckAt = -1;

  private long stuckSince;

  private record Head(int status, Headers headers) {}

  private record Region(FileChannel file, long end) {}

  VertxAnswer(
      VertxExchange exchange,
      HttpServerResponse response,
      boolean multiplexed,
      @Nullable Progress progress) {
    this.exchange = exchange;
    this.response = response;
    this.multiplexed = multiplexed;
    this.progress = progress;
  }

  /** Takes the head; it is sent with the first bytes of the body. */
  void start(int status, Headers headers) {
    head = new Head(status, headers);
  }

  /** Makes this the last answer of its connection. */
  void closes() {
    closes = true;
  }

  /** Sends {@code 100 Continue}, unless the answer has begun. */
  void writeContinue() {
    if (head == null && !response.ended() && !response.headWritten()) {
      response.writeContinue();
    }
  }

  void write(ByteBuffer bytes, Exchange.OnWritten callback) {
    int last = multiplexed ? Math.min(bytes.remaining(), PART) : bytes.remaining();
    send(
        () -> hand(bytes),
        failure -> {
          moved(last);
          callback.written(failure);
        });
  }

  void end(ByteBuffer last) {
    closes |= head != null && exchange.leavesBody();
    send(() -> handLast(last), exchange::over);
  }

  void sendFile(FileChannel file, long offset, long length) {
    closes |= head != null && exchange.leavesBody();
    region = new Region(file, offset + length);
    send(
        () ->
            multiplexed
                ? FileChunks.send(file, offset, length, this::hand, response::end)
                : response.sendFile(file, offset, length),
        this::fileSent);
  }

  /** Closes the file that was sent, or could not be, and notes how the answer ended. */
  void fileSent(@Nullable Throwable cause) {
    Region sent = region;
    region = null;
    if (sent == null) {
      return;
    }
    boolean whole = cause == null;
    try (FileChannel file = sent.file) {
      whole &= file.size() >= sent.end;
    } catch (IOException e) {
      whole = false;
    }
    if (!whole) {
      exchange.abort();
    }
    exchange.over(cause);
  }

  /**
   * Tells whether the client has taken nothing of what was written for some time; for HTTP/2, where
   * the connection does not show it.
   */
  boolean stuck(long now, long nanos) {
    if (unwritten == 0 || taken != stuckAt) {
      stuckAt = taken;
      stuckSince = now;
      return false;
    }
    return now - stuckSince > nanos;
  }

  private Future<Void> hand(ByteBuffer bytes) {
    return response.write(wrap(multiplexed ? lastPart(bytes) : bytes));
  }

  private Future<Void> handLast(ByteBuffer bytes) {
    if (multiplexed && bytes.remaining() > PART && !response.headWritten()) {
      MultiMap headers = response.headers();
      if (!headers.contains(HttpHeaders.CONTENT_LENGTH)) {
        headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.remaining()));
      }
    }
    return response.end(wrap(multiplexed ? lastPart(bytes) : bytes));
  }

  /** Writes all parts of a piece but the last, which it returns. */
  private ByteBuffer lastPart(ByteBuffer bytes) {
    ByteBuffer rest = bytes.slice();
    while (rest.remaining() > PART) {
      ByteBuffer part = rest.slice(rest.position(), PART);
      response.write(wrap(part)).onSuccess(gone -> tookPart());
      rest.position(rest.position() + PART);
    }
    return rest;
  }

  /**
   * Sends something; what the engine throws becomes a failure, so that the client does not wait for
   * ever.
   */
  private void send(Supplier<Future<Void>> sending, Consumer<@Nullable Throwable> sent) {
    Future<Void> written;
    try {
      writeHead();
      written = sending.get();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "an answer could not be sent", e);
      giveUp(e);
      sent.accept(e);
      return;
    }
    unwritten++;
    if (progress != null) {
      progress.owes(System.nanoTime());
    }
    written.onComplete(
        (nothing, failure) -> {
          unwritten--;
          taken++;
          if (progress != null) {
            progress.pays(System.nanoTime());
          }
          sent.accept(failure);
        });
  }

  private void tookPart() {
    taken++;
    moved(PART);
  }

  private void moved(int bytes) {
    if (progress != null) {
      progress.moved(bytes, System.nanoTime());
    }
  }

  /** Tells the client that there is no answer, as far as nothing of one has gone out. */
  private void giveUp(Throwable cause) {
    if (multiplexed || response.headWritten()) {
      exchange.abort();
      return;
    }
    response.headers().clear().set("Content-Length", "0").set("Connection", "close");
    response.setStatusCode(500).setStatusMessage(Status.phrase(500));
    exchange.last();
    response.end().onComplete(done -> exchange.over(cause));
  }

  private void writeHead() {
    Head answer = head;
    if (answer == null) {
      return;
    }
    head = null;
    response.setStatusCode(answer.status);
    String phrase = Status.phrase(answer.status);
    // The engine knows 304 by its own constant: it must not be given a message it has already.
    if (!phrase.equals(response.getStatusMessage())) {
      response.setStatusMessage(phrase.isEmpty() ? "unknown" : phrase);
    }
    Headers from = answer.headers;
    MultiMap to = response.headers();
    for (int i = 0; i < from.size(); i++) {
      if (!isHopByHop(from.name(i))) {
        to.add(HeaderLine.name(from.name(i)), HeaderLine.value(from.value(i)));
      }
    }
    if (!from.contains("Date")) {
      to.add(DATE, exchange.date());
    }
    if (!multiplexed) {
      writeConnection(from, to);
    }
  }

  private void writeConnection(Headers from, MultiMap to) {
    String asked = from.get("Connection");
    if (closes
        || exchange.leaving()
        || (asked != null && ConnectionOptions.close(from))
        || ConnectionOptions.close(exchange.headers())) {
      to.set("Connection", "close");
      exchange.last();
    } else if (asked != null) {
      to.set("Connection", asked);
    }
  }

  /** Tells whether a header is the engine's to write: it frames, and keeps the connection. */
  private boolean isHopByHop(String name) {
    return switch (name.length()) {
      case 7 -> multiplexed && name.equalsIgnoreCase("Upgrade");
      case 10 -> name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Keep-Alive");
      case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
      default -> false;
    };
  }

  private static Buffer wrap(ByteBuffer bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }
}
