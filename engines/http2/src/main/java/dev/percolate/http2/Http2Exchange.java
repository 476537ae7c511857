package dev.percolate.http2;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.HeadGuard;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.nio.loop.Input;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.LoopExchange;
import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.UpgradedInput;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on a stream. The stream is used on the event loop only: calls from
 * other threads are passed to the loop, in order.
 *
 * <pre>
 *   open --END_STREAM of the client--> half closed --response sent--> closed
 *     +--response sent--> the rest is discarded for a while --END_STREAM or reset--^
 * </pre>
 */
final class Http2Exchange extends LoopExchange {

  /** The number of bytes that are returned to a window at once. */
  private static final int GIVEN_BACK = 16 << 10;

  /** How long an unread body is received and discarded after the response, in nanoseconds. */
  private static final long UNREAD = TimeUnit.SECONDS.toNanos(1);

  /** How many bytes of an unread body are received and discarded after the response. */
  private static final int UNREAD_BYTES = 1 << 20;

  private final ProtocolConnection connection;
  private final Owner owner;
  private final int id;
  private final StreamResponse response;
  private final ReceiveWindow window;
  private final boolean isTunnel;
  private final @Nullable StreamBody body;

  /** The body, or the input of a stream for another protocol; null if there is neither. */
  private final @Nullable Input input;

  /** The number of bytes that were read and not yet returned to the window. */
  private final AtomicInteger consumed = new AtomicInteger();

  private volatile boolean expects;
  private volatile boolean asked;
  private volatile boolean upgraded;
  private boolean inputEnded;
  private boolean closed;
  private boolean lacksRoom;
  private boolean drops;
  private long dropsSince;
  private int dropped;

  /** The number of received bytes that are not yet returned to the connection's window. */
  private int owed;

  /** The connection of an exchange. Used on its event loop only, except {@link #finished}. */
  interface Owner {

    /** Adds bytes that were read or discarded to the windows of the stream and the connection. */
    void giveBack(Http2Exchange exchange, int bytes);

    /** Records that the body of a stream can buffer no more, or can again. */
    void lacksRoom(boolean lacks);

    /** Resumes reading the connection if it was stopped, because a handler waits for bytes. */
    void awaits();

    /** Called after the last frame of a response is written. */
    void answered(Http2Exchange exchange);

    /** Resets a stream. */
    void reset(Http2Exchange exchange, int code);

    /** Called when an exchange is over and none of its handlers runs any more, on any thread. */
    void finished();
  }

  /**
   * Creates the exchange of a request.
   *
   * @param window the client's initial window for the response, in bytes
   * @param kind the rest of the request
   */
  Http2Exchange(
      ProtocolConnection connection,
      Owner owner,
      Sender sender,
      int id,
      RequestLine request,
      int window,
      Kind kind) {
    super(connection, request.method(), request.target(), "2.0", request.headers());
    this.connection = connection;
    this.owner = owner;
    this.id = id;
    this.window = new ReceiveWindow(PeerSettings.WINDOW, GIVEN_BACK);
    boolean head = method().equals("HEAD");
    this.response = new StreamResponse(this, sender, id, window, head, this::sent);
    this.isTunnel = kind.tunnel;
    this.body =
        kind.tunnel || !kind.hasBody
            ? null
            : new StreamBody(id, kind.length, this, bodyReservation(), progress());
    this.input = kind.tunnel ? new UpgradedInput(this) : body;
    this.inputEnded = kind.ended;
  }

  /**
   * The part of a request after its headers.
   *
   * @param tunnel whether the stream carries another protocol if a handler accepts the upgrade
   * @param hasBody whether there is a body, perhaps an empty one
   * @param length the length of the body; -1 if unknown
   * @param ended whether the client has already ended the stream
   */
  record Kind(boolean tunnel, boolean hasBody, long length, boolean ended) {}

  /** Passes the request to the service. */
  void begin() throws FrameError {
    connection.limits().began();
    if (body != null) {
      expects = !inputEnded && headers().contains("expect");
      body.begin();
    }
    if (inputEnded) {
      endInput();
    }
    enter();
  }

  /** Rejects a request with a status code. */
  void reject(int status) {
    Headers headers = HeadGuard.rejectionHeaders(status);
    connection.limits().began();
    failInput(new ClientDisconnectedException(null));
    response.start(status, headers);
    response.end(ByteBuffer.allocate(0));
    tellRejection(status, headers);
  }

  /** Rejects a malformed request and resets its stream (RFC 9113 section 8.1.1). */
  void rejectAndReset(int status) {
    Headers headers = HeadGuard.rejectionHeaders(status);
    connection.limits().began();
    response.reject(status, headers);
    owner.reset(this, ErrorCode.PROTOCOL_ERROR);
    tellRejection(status, headers);
  }

  @Override
  protected void finished() {
    try {
      super.finished();
    } finally {
      owner.finished();
    }
  }

  int id() {
    return id;
  }

  ReceiveWindow window() {
    return window;
  }

  SendStream stream() {
    return response.stream();
  }

  /** Returns whether the client has ended the stream. */
  boolean isInputEnded() {
    return inputEnded;
  }

  /** Takes bytes from the stream's window. Returns false if the client exceeded the window. */
  boolean takeWindow(int bytes) {
    owed += bytes;
    return window.take(bytes);
  }

  /** Subtracts at most {@code bytes} from the bytes owed to the connection; returns how many. */
  int paid(int bytes) {
    int some = closed ? 0 : Math.min(owed, bytes);
    owed -= some;
    return some;
  }

  /** Receives content from the client. */
  void take(byte[] bytes, int from, int to) throws FrameError {
    int count = to - from;
    if (body != null) {
      body.count(count);
    }
    if (input != null && !drops) {
      int ignored = input.take(bytes, from, to);
      if (lacksRoom && connection.limits().options().bodyMemory().isFull()) {
        dropsUntilAnswered(BodyErrors.memoryUnavailable());
      }
    } else {
      dropped += count;
      if (dropped <= UNREAD_BYTES) {
        owner.giveBack(this, count);
      }
    }
  }

  /** Called when the client has ended the stream. */
  void endInput() throws FrameError {
    inputEnded = true;
    if (body != null) {
      body.countEnd();
    }
    if (input != null) {
      input.end(null);
    }
  }

  /** Ends the input early, with a failure. */
  private void failInput(Throwable cause) {
    if (input != null) {
      input.end(cause);
    }
  }

  /** Discards the rest of the request after the response. */
  void drops() {
    drops = true;
    dropsSince = System.nanoTime();
    holdsBody(false);
    if (input == null || !(input.leavesMuch() || expects)) {
      owner.giveBack(this, owed);
    } else {
      dropped = UNREAD_BYTES; // the stream is reset soon, after the client could read the response
    }
    if (input != null) {
      input.discard(() -> {});
    }
  }

  /** Ends a body with a failure. The stream is reset only after its response. */
  private void dropsUntilAnswered(HttpError failure) {
    drops = true;
    dropsSince = Long.MAX_VALUE;
    holdsBody(false);
    failInput(failure);
  }

  /** Closes the exchange and returns how many bytes it owed to the connection's window. */
  int close() {
    closed = true;
    holdsBody(false);
    response.stream().drop();
    int left = owed;
    owed = 0;
    return left;
  }

  /** Closes the exchange because the connection is closed. Returns what {@link #close} returns. */
  int lost() {
    response.lost();
    return close();
  }

  /** Checks the timeouts of the request and the response. */
  void check(long now) {
    look(now);
    if (drops) {
      if (now - dropsSince > UNREAD) {
        owner.reset(this, ErrorCode.NO_ERROR);
      }
    } else if (input != null && !expects && input.isOverdue(now, connection.limits().options())) {
      dropsUntilAnswered(new HttpError(408, "request timed out", "request.timeout", null));
    }
    if (!closed && response.stream().isTooSlow(now, connection.limits().options())) {
      owner.reset(this, ErrorCode.CANCEL);
    }
  }

  @Override
  public void hungUp() {
    ClientDisconnectedException gone = new ClientDisconnectedException(null);
    try {
      failInput(gone);
    } finally {
      boolean ignored = over(gone);
    }
  }

  private void sent() {
    owner.answered(this);
  }

  @Override
  public boolean hasBody() {
    return body != null;
  }

  @Override
  public void read(OnRead callback) {
    OnRead counting =
        (piece, failure) -> {
          if (piece != null) {
            consumed(piece.remaining());
          }
          callback.read(piece, failure);
        };
    Input from = upgraded ? input : body;
    if (from == null) {
      callback.read(null, null);
    } else {
      askFirst();
      from.read(counting);
      owner.awaits();
    }
  }

  private void askFirst() {
    if (!asked) {
      asked = true;
      if (expects) {
        expects = false;
        onLoop(response::writeContinue);
      }
    }
  }

  private void consumed(int bytes) {
    if (consumed.addAndGet(bytes) >= GIVEN_BACK) {
      onLoop(() -> owner.giveBack(this, consumed.getAndSet(0)));
    }
  }

  @Override
  public void start(int status, Headers lines) {
    // A 2xx status would mean that the protocol has been switched (RFC 9110 section 9.3.6).
    boolean declines = isTunnel && status >= 200 && status < 300;
    response.start(declines ? 501 : status, lines); // visible to the loop task that follows
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    if (!isOnLoop()) {
      queue();
    }
    onLoop(
        () -> response.write(bytes, callback),
        () -> callback.written(new ClientDisconnectedException(null)));
  }

  @Override
  public void end(ByteBuffer last) {
    answered();
    onLoop(() -> response.end(last), this::hungUp);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    answered();
    onLoop(
        () ->
            response.sendFile(file, offset, length, connection.loop(), connection.limits().files()),
        () -> {
          FilePump.close(file);
          hungUp();
        });
  }

  @Override
  public boolean upgradable() {
    return isTunnel && !upgraded && !response.isStarted() && ConnectionOptions.upgrade(headers());
  }

  @Override
  protected void beginUpgrade(Headers lines) {
    upgraded = true;
    onLoop(() -> response.upgrade(lines), this::hungUp);
  }

  @Override
  public void abort() {
    onLoop(this::cutOff);
  }

  @Override
  protected void cutOff() {
    owner.reset(this, ErrorCode.INTERNAL_ERROR);
  }

  @Override
  protected boolean isHeadSent() {
    return response.isHeadSent();
  }

  @Override
  public int sentStatus(int started) {
    return isUnsent() ? 0 : upgraded ? started : response.sentStatus();
  }

  /** While the body's buffer is full, no bytes are returned to the window of the stream. */
  @Override
  protected void holdsBody(boolean holds) {
    boolean now = holds && !closed && !drops && !isTunnel;
    if (now != lacksRoom) {
      lacksRoom = now;
      owner.lacksRoom(now);
    }
  }

  /** Returns whether a handler may wait for more input. */
  boolean isAwaited() {
    return isTunnel || (body != null && !drops && body.isAwaited());
  }
}
