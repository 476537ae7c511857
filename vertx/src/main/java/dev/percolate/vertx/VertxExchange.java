package dev.percolate.vertx;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.StateField;
import dev.percolate.engine.Turn;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.engine.loop.Progress;
import dev.percolate.engine.loop.StepPool;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.IpText;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request on Vert.x and its answer. The engine's objects are touched on the loop only: what
 * other threads ask for is brought there, in order.
 */
final class VertxExchange implements Exchange, BodyBuffer.Flow, Progress.Ends {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  /** How long a body that nobody has read may go on behind the answer. */
  private static final long UNREAD_BODY_MS = 1000;

  /** Codes of HTTP/2 (RFC 9113 §7). */
  private static final long NO_ERROR = 0;

  private static final long INTERNAL_ERROR = 2;

  private static final Over ANSWERED = new Over(null);
  private static final VarHandle UNANSWERED =
      StateField.of(MethodHandles.lookup(), "unanswered", boolean.class);
  private static final VarHandle END = StateField.of(MethodHandles.lookup(), "end", Object.class);

  private final VertxServer server;
  private final Loop loop;
  private final Connection connection;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Headers headers;
  private final Turn turn;
  private final boolean multiplexed;
  private final VertxAnswer answer;
  private final @Nullable BodyBuffer body;
  private final @Nullable Progress progress;
  private BodyMemory.@Nullable Room room;
  private volatile boolean expectsContinue;

  /** Whether somebody else gives the room back. */
  private volatile boolean roomIsAsked;

  /** Whether pieces of the answer have come from outside of the loop, where they queue. */
  private volatile boolean queued;

  /** Whether the steps have begun, and not given an answer. */
  private volatile boolean unanswered;

  /** Null; who will be told of the end; then how it ended, an {@link Over}. */
  private volatile @Nullable Object end;

  private record Over(@Nullable Throwable failure) {}

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
    this.multiplexed = request.version() == HttpVersion.HTTP_2;
    this.turn = loop.turn();
    this.progress = loop.pool() == null ? null : new Progress(this, System.nanoTime());
    this.answer = new VertxAnswer(this, response, multiplexed, progress);
    this.body = announcesBody(multiplexed, headers) ? body(connection.share().room()) : null;
  }

  /** Lets the request in. */
  void begin() {
    receive();
    connection.start(this);
  }

  /** Leads the request through the chain. */
  void serve() {
    unanswered = true;
    server.stepping();
    if (body == null) {
      takeSteps();
    } else {
      loop.thread().execute(this::takeSteps); // they find what has arrived with the head
    }
  }

  /** Answers a request that is not let in. */
  void refuse(int status, Headers sent) {
    receive();
    answer.closes();
    answer.start(status, sent);
    answer.end(ByteBuffer.allocate(0));
  }

  @Override
  public String method() {
    return isUnreadable() ? "" : request.method().name();
  }

  @Override
  public String target() {
    String target = request.uri(); // that of CONNECT on HTTP/2 has none
    return target == null || isUnreadable() ? "" : target;
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
    SocketAddress peer = request.remoteAddress();
    return peer == null ? "" : IpText.canonical(peer.hostAddress());
  }

  @Override
  public boolean secure() {
    return server.options().tls() != null;
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    return List.of();
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
  public void await(BooleanSupplier over) {
    StepPool pool = loop.pool();
    if (pool != null && progress != null) {
      pool.await(progress, () -> Exchange.park(over));
    } else {
      Exchange.park(over);
    }
  }

  @Override
  public Duration answerTimeout() {
    return server.options().answerTimeout();
  }

  @Override
  public Duration bodyTimeout() {
    return server.options().bodyTimeout();
  }

  @Override
  public BodyMemory.Room room() {
    roomIsAsked = true;
    BodyMemory.Room known = room;
    return known == null ? connection.share().room() : known;
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
    if (expectsContinue) {
      expectsContinue = false;
      onLoop(answer::writeContinue);
    }
    body.read(callback);
  }

  @Override
  public void start(int status, Headers headers) {
    answer.start(status, headers); // seen by the task of the loop that follows
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    if (!queued && !loop.isHere()) {
      queued = true;
    }
    onLoop(() -> answer.write(bytes, callback), () -> callback.written(new ClientGone(null)));
  }

  @Override
  public void end(ByteBuffer last) {
    answered();
    onLoop(() -> answer.end(last));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    answered();
    Runnable sending =
        () -> {
          connection.sendsFiles();
          answer.sendFile(file, offset, length);
        };
    onLoop(sending, () -> FileRegions.close(file));
  }

  @Override
  public boolean upgradable() {
    return false; // percolate-nio can
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    throw new IllegalStateException("percolate-vertx hands no connection over");
  }

  @Override
  public void abort() {
    onLoop(
        () -> {
          if (multiplexed) {
            // Once it has all of an answer the engine refuses, though nothing may have gone out.
            int stream = Math.toIntExact(response.streamId());
            response.reset(INTERNAL_ERROR).onFailure(e -> connection.reset(stream, INTERNAL_ERROR));
          } else {
            connection.abort();
          }
        });
  }

  @Override
  public void onEnd(OnEnd callback) {
    Object now = end;
    while (!(now instanceof Over) && !END.compareAndSet(this, now, (Object) callback)) {
      now = end;
    }
    if (now instanceof Over over) {
      callback.ended(over.failure);
    }
  }

  @Override
  public void pause() {
    onLoop(multiplexed ? request::pause : () -> connection.holdsBody(true));
  }

  @Override
  public void resume() {
    onLoop(multiplexed ? request::resume : () -> connection.holdsBody(false));
  }

  /** Tells whether more of the body is to come. */
  boolean hasMore() {
    return body != null && !body.ended();
  }

  /** Returns how much may be read of the connection at once, which has more of the body. */
  int mostRead() {
    return body == null ? BodyBuffer.LITTLE : body.mostRead();
  }

  AsciiString date() {
    return loop.date();
  }

  boolean leaving() {
    return server.leaving();
  }

  /**
   * Tells whether more of a body is left than will be taken off the connection behind a whole
   * answer: the client sends too much, or waits to be asked for it.
   */
  boolean leavesBody() {
    return body != null && !body.ended() && (expectsContinue || body.leaves(announced()));
  }

  /** Notes that the connection ends with this answer. */
  void last() {
    connection.last();
  }

  /** Notes that the rest of the body cannot be read. */
  void malformedBody() {
    answer.closes();
    if (body != null) {
      body.end(new HttpError(400, "malformed body", "request.malformed", null));
    }
  }

  @Override
  public boolean refuseRoom() {
    return room != null && room.refuse();
  }

  @Nullable Progress progress() {
    return progress;
  }

  /** Ends the exchange if the client has taken longer than the options allow. */
  void check(long now) {
    if (progress != null) {
      progress.look(now);
    }
    if (body != null && !expectsContinue && body.isOverdue(now, server.options())) {
      answer.closes();
      body.end(new HttpError(408, "request timed out", "request.timeout", null));
    }
    if (multiplexed && answer.stuck(now, server.options().writeTimeout().toNanos())) {
      abort();
    }
  }

  /** Notes that the file of the answer could not be sent to its end. */
  void fileFailed(Throwable cause) {
    answer.fileSent(cause);
  }

  /** Notes that the connection, or the stream, is gone. */
  void hungUp() {
    ClientGone gone = new ClientGone(null);
    if (body != null) {
      body.end(gone);
    }
    over(gone);
  }

  /** Notes, on the loop, that the answer has gone out, or never will; the first call counts. */
  void over(@Nullable Throwable cause) {
    if (end instanceof Over) {
      return;
    }
    Object told = END.getAndSet(this, cause == null ? ANSWERED : new Over(cause));
    answered();
    if (room != null && !roomIsAsked) {
      room.release();
    }
    if (told instanceof OnEnd listener) {
      listener.ended(cause);
    }
    turn.executeHere(server::finished);
    if (body == null || body.ended() || cause != null) {
      if (body != null) {
        body.leave();
      }
      connection.over(this);
    } else if (multiplexed) {
      response.reset(NO_ERROR); // the answer is complete, the rest of the body is not wanted
      connection.over(this);
    } else {
      awaitUnreadBody(body);
    }
  }

  private BodyBuffer body(BodyMemory.Room memory) {
    room = memory;
    return new BodyBuffer(this, memory, progress);
  }

  private void takeSteps() {
    try {
      turn.execute(() -> server.service().serve(this));
    } catch (RuntimeException | Error e) { // such as "unable to create native thread"
      LOG.log(Level.ERROR, "a request got no thread", e);
      abort();
    }
  }

  /** Notes that the steps have given their answer, or that there is nobody to give it to. */
  private void answered() {
    if (unanswered && UNANSWERED.compareAndSet(this, true, false)) {
      server.answered();
    }
  }

  private void receive() {
    connection.busy(this);
    server.began();
    BodyBuffer buffer = body;
    if (buffer != null) {
      // A client of HTTP/1.0 would take it for the answer (RFC 9110 §10.1.1).
      expectsContinue = headers.contains("Expect") && request.version() != HttpVersion.HTTP_1_0;
      request.handler(chunk -> buffer.offer(((BufferInternal) chunk).getByteBuf().nioBuffer()));
      request.endHandler(end -> buffer.end(null));
      request.exceptionHandler(cause -> buffer.end(bodyFailure(cause)));
      buffer.begin();
    }
    if (multiplexed) {
      response.closeHandler(closed -> hungUp());
      response.exceptionHandler(cause -> hungUp());
    }
  }

  private void awaitUnreadBody(BodyBuffer unread) {
    Runnable tooLong =
        () -> {
          if (!unread.ended()) {
            connection.close();
          }
        };
    ScheduledFuture<?> deadline =
        loop.thread().schedule(tooLong, UNREAD_BODY_MS, TimeUnit.MILLISECONDS);
    unread.discard(
        () -> {
          deadline.cancel(false);
          onLoop(() -> connection.over(this));
        });
  }

  /** Has a task done on the loop, unless the server has been closed meanwhile. */
  private void onLoop(Runnable task) {
    onLoop(task, () -> {}); // unless its connection is gone
  }

  /** Has a task done on the loop, and behind pieces of the answer that queue there. */
  private void onLoop(Runnable task, Runnable lost) {
    if (queued) {
      loop.enqueue(task, lost);
    } else {
      loop.execute(task, lost);
    }
  }

  /** Tells whether the engine, which gives it this name then, could not read the request line. */
  private boolean isUnreadable() {
    return request.decoderResult().isFailure()
        && !(request.decoderResult().cause() instanceof HttpError)
        && request.uri().equals("/bad-request");
  }

  private static Throwable bodyFailure(Throwable cause) {
    if (cause instanceof IOException
        || cause instanceof HttpClosedException
        || cause instanceof StreamResetException) {
      return new ClientGone(cause);
    }
    return new HttpError(400, "malformed body", "request.malformed", cause);
  }

  /** Returns the announced length of the body; negative if there is none. */
  private long announced() {
    return ContentLength.parse(headers.get("Content-Length"));
  }

  private static boolean announcesBody(boolean multiplexed, Headers headers) {
    String length = headers.get("Content-Length");
    return headers.contains("Transfer-Encoding")
        || (length == null ? multiplexed : !length.isEmpty());
  }
}
