package dev.percolate.vertx;

import dev.percolate.core.ClientGone;
import dev.percolate.core.Exchange;
import dev.percolate.core.HttpError;
import dev.percolate.core.Turn;
import dev.percolate.http.Headers;
import dev.percolate.http.Status;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request on Vert.x and its answer. The engine's objects are touched on the loop only: what
 * other threads ask for is brought there, in order.
 */
final class VertxExchange implements Exchange, BodyBuffer.Flow, Carrier.TurnOf {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  /** How long a body that nobody has read may go on behind the answer. */
  private static final long UNREAD_BODY_MS = 1000;

  private final VertxServer server;
  private final Loop loop;
  private final Connection connection;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Headers headers;
  private final Turn turn;
  private final @Nullable BodyBuffer body;
  private boolean continued;

  // The answer, used on the loop only.
  private int status;
  private @Nullable Headers head;
  private boolean closes;
  private boolean answered;

  // Guarded by this.
  private @Nullable OnEnd onEnd;
  private boolean over;
  private @Nullable Throwable failure;

  VertxExchange(
      VertxServer server,
      Loop loop,
      Connection connection,
      HttpServerRequest request,
      Headers headers) {
    this.server = server;
    this.loop = loop;
    this.connection = connection;
    this.request = request;
    this.response = request.response();
    this.headers = headers;
    this.turn = server.threads().turn(loop, this);
    this.body = announcesBody(request.version(), headers) ? new BodyBuffer(this) : null;
  }

  /** Lets the request in. */
  void begin() {
    connection.busy(this);
    server.began();
    BodyBuffer buffer = body;
    if (buffer != null) {
      request.handler(chunk -> buffer.offer(((BufferInternal) chunk).getByteBuf().nioBuffer()));
      request.endHandler(end -> buffer.end(null));
      request.exceptionHandler(cause -> buffer.end(bodyFailure(cause)));
    }
    if (request.version() == HttpVersion.HTTP_2) {
      response.closeHandler(closed -> hungUp());
      response.exceptionHandler(cause -> hungUp());
    }
    turn.execute(() -> server.service().serve(this));
  }

  /** Answers a request that is not let in, and closes the connection. */
  void refuse(int refusal, Headers sent) {
    connection.busy(this);
    server.began();
    closes = true;
    status = refusal;
    head = sent;
    finish(Buffer.buffer());
  }

  HttpVersion version() {
    return request.version();
  }

  @Override
  public String method() {
    return isUnreadable() ? "" : request.method().name();
  }

  @Override
  public String target() {
    return isUnreadable() ? "" : request.uri();
  }

  @Override
  public String httpVersion() {
    return switch (request.version()) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      default -> "2.0";
    };
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String remoteAddress() {
    return request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress();
  }

  @Override
  public boolean secure() {
    return server.options().tls() != null;
  }

  @Override
  public Turn turn() {
    return turn;
  }

  @Override
  public boolean mayBlock() {
    return !loop.isHere();
  }

  @Override
  public boolean hasBody() {
    return body != null;
  }

  @Override
  public void read(OnRead callback) {
    if (body == null) {
      callback.read(null, null);
      return;
    }
    String expect = headers.get("Expect");
    if (!continued && expect != null) {
      continued = true;
      onLoop(this::writeContinue);
    }
    body.read(callback);
  }

  @Override
  public void start(int code, Headers answer) {
    // Sent with the first bytes of the body; whoever writes those comes after.
    status = code;
    head = answer;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    boolean here =
        onLoop(
            () -> {
              writeHead();
              report(safely(() -> response.write(wrap(bytes))), callback);
            });
    if (!here) {
      callback.written(new ClientGone(null));
    }
  }

  @Override
  public void end(ByteBuffer last) {
    onLoop(() -> finish(wrap(last)));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    boolean here =
        onLoop(
            () ->
                safely(() -> writeFile(file, offset, length))
                    .onComplete(done -> fileSent(file, offset + length, done.cause())));
    if (!here) {
      fileSent(file, 0, new ClientGone(null));
    }
  }

  @Override
  public void abort() {
    onLoop(
        () -> {
          if (request.version() == HttpVersion.HTTP_2) {
            response.reset();
          } else {
            connection.abort();
          }
        });
  }

  @Override
  public void onEnd(OnEnd callback) {
    synchronized (this) {
      if (!over) {
        onEnd = callback;
        return;
      }
    }
    callback.ended(failure);
  }

  @Override
  public void pause() {
    onLoop(request::pause);
  }

  @Override
  public void resume() {
    onLoop(request::resume);
  }

  /** Tells whether the client owes a part of the body. */
  boolean awaitsBody() {
    return body != null && !body.ended();
  }

  /** Gives up on a body that does not come. */
  void bodyTimedOut() {
    if (body != null) {
      closes = true;
      body.end(new HttpError(408, "request timed out", "request.timeout", null));
    }
    if (answered) {
      connection.close();
    }
  }

  /** Notes that the connection, or the stream, is gone. */
  void hungUp() {
    ClientGone gone = new ClientGone(null);
    if (body != null) {
      body.end(gone);
    }
    over(gone);
  }

  private void writeContinue() {
    if (!response.ended() && !response.headWritten()) {
      response.writeContinue();
    }
  }

  private void writeHead() {
    Headers answer = head;
    if (answer == null) {
      return;
    }
    head = null;
    response.setStatusCode(status);
    String phrase = Status.phrase(status);
    // The engine knows 304 by its own constant: it must not be given a message it has already.
    if (!phrase.equals(response.getStatusMessage())) {
      response.setStatusMessage(phrase.isEmpty() ? "unknown" : phrase);
    }
    MultiMap target = response.headers();
    for (int i = 0; i < answer.size(); i++) {
      target.add(answer.name(i), answer.value(i));
    }
    if (!answer.contains("Date")) {
      target.add("Date", loop.date());
    }
    if (request.version() != HttpVersion.HTTP_2) {
      writeConnection(answer.get("Connection"), target);
    }
  }

  private void writeConnection(@Nullable String asked, MultiMap target) {
    if ("close".equalsIgnoreCase(asked)) {
      closes = true;
    } else if (closes || server.draining()) {
      closes = true;
      target.set("Connection", "close");
    }
    if (closes) {
      connection.last();
    }
  }

  private void finish(Buffer last) {
    Future<Void> ended =
        safely(
            () -> {
              writeHead();
              return response.end(last);
            });
    ended.onComplete(done -> over(done.cause()));
  }

  private Future<Void> writeFile(FileChannel file, long offset, long length) {
    writeHead();
    return request.version() == HttpVersion.HTTP_2
        ? FileChunks.send(file, offset, length, response)
        : response.sendFile(file, offset, length);
  }

  private void fileSent(FileChannel file, long end, @Nullable Throwable cause) {
    boolean whole = cause == null;
    try (file) {
      whole &= file.size() >= end;
    } catch (IOException e) {
      whole = false;
    }
    if (!whole) {
      abort();
    }
    over(cause);
  }

  /** Turns what the engine throws into a failed future: the client must not wait for ever. */
  private Future<Void> safely(Supplier<Future<Void>> sending) {
    try {
      return sending.get();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "an answer could not be sent", e);
      connection.abort();
      return Future.failedFuture(e);
    }
  }

  private void over(@Nullable Throwable cause) {
    OnEnd listener;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = cause;
      listener = onEnd;
    }
    answered = true;
    if (listener != null) {
      listener.ended(cause);
    }
    turn.executeHere(server::finished);
    boolean close = closes || server.draining();
    if (body == null || body.ended() || cause != null) {
      connection.over(this, close);
    } else {
      awaitUnreadBody(body, close);
    }
  }

  private void awaitUnreadBody(BodyBuffer unread, boolean close) {
    Runnable tooLong =
        () -> {
          if (!unread.ended()) {
            connection.close();
          }
        };
    ScheduledFuture<?> deadline =
        loop.thread().schedule(tooLong, UNREAD_BODY_MS, TimeUnit.MILLISECONDS);
    unread.discard();
    unread.read(
        (nothing, end) -> {
          deadline.cancel(false);
          onLoop(() -> connection.over(this, close || end != null));
        });
  }

  /** Has a task done on the loop; gives false if the server has been closed meanwhile. */
  private boolean onLoop(Runnable task) {
    Carrier carrier = loop.carrier();
    try {
      if (carrier != null && turn.isMine() && !loop.isHere()) {
        carrier.leave(task);
      } else {
        loop.execute(task);
      }
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private void report(Future<Void> written, OnWritten callback) {
    written.onComplete(done -> callback.written(done.cause()));
  }

  private boolean isUnreadable() {
    return request.decoderResult().isFailure() && request.uri().equals("/bad-request");
  }

  private static Buffer wrap(ByteBuffer bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  private static Throwable bodyFailure(Throwable cause) {
    if (cause instanceof IOException || cause instanceof HttpClosedException) {
      return new ClientGone(cause);
    }
    return new HttpError(400, "malformed body", "request.malformed", cause);
  }

  private static boolean announcesBody(HttpVersion version, Headers headers) {
    String length = headers.get("Content-Length");
    return headers.contains("Transfer-Encoding")
        || (length == null ? version == HttpVersion.HTTP_2 : !length.isEmpty());
  }
}
