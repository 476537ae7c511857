package dev.percolate.nio;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.WebSocketHandshake;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Input;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.LoopExchange;
import dev.percolate.nio.protocol.UpgradedInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response over HTTP/1.1. The connection is used on its event loop only: calls
 * from other threads are passed to the loop, in order.
 */
final class NioExchange extends LoopExchange implements FramedBody.Sender {

  private final NioConnection connection;
  private final boolean old;
  private final boolean last;
  private final NioResponse response;
  private final @Nullable FramedBody body;

  /** The body, or the input of an upgraded connection; null if there is neither. */
  private volatile @Nullable Input input;

  /** Whether any thread may write the response, if it is complete. */
  private boolean direct;

  /** Whether a thread other than the loop's has written the complete response. */
  private volatile boolean done;

  /**
   * Creates the exchange of a request.
   *
   * @param head the parsed head
   * @param length the length of the body, see {@link HeadParser#bodyLength}
   */
  NioExchange(NioConnection connection, HeadParser head, long length) {
    super(connection, head.method(), head.target(), head.version(), head.headers());
    this.connection = connection;
    this.old = head.version().equals("1.0");
    this.last = endsConnection();
    this.response = new NioResponse(this, connection);
    if (length == HeadParser.NO_BODY || length == HeadParser.DOUBTFUL) {
      body = null;
    } else {
      body =
          new FramedBody(
              this, length, bodyReservation(), progress(), connection.limits().options());
      input = body;
    }
  }

  /** Begins the request, and its body if there is one. */
  void begin() {
    connection.limits().began();
    if (body != null) {
      // An HTTP/1.0 client would take a 100 for the final response (RFC 9110 section 10.1.1).
      body.begin(!old && headers().contains("Expect"));
    }
  }

  /** Passes the request to the service. */
  void serve() {
    direct = !hasMore() && !connection.output().isPending();
    enter();
  }

  /** Rejects a request with a status code. */
  void reject(int status, Headers sent) {
    connection.limits().began();
    if (body != null) {
      body.end(null); // the body is not read
    }
    response.closes();
    response.start(status, sent);
    response.end(ByteBuffer.allocate(0));
    tellRejection(status, sent);
  }

  @Override
  public boolean hasBody() {
    return body != null;
  }

  @Override
  public void read(OnRead callback) {
    Input from = input;
    if (from == null) {
      callback.read(null, null);
    } else {
      from.read(callback);
    }
  }

  @Override
  public void start(int status, Headers lines) {
    response.start(status, lines); // visible to the loop through the task that follows
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    if (!isQueued() && !isOnLoop()) {
      queue();
    }
    onLoop(
        () -> response.write(bytes, callback),
        () -> callback.written(new ClientDisconnectedException(null)));
  }

  @Override
  public void end(ByteBuffer last) {
    answered();
    if (!isQueued() && isOnLoop()) {
      response.end(last);
    } else if (!direct || isQueued() || !writeDirectly(last)) {
      onLoop(() -> response.end(last), this::hungUp);
    }
  }

  @Override
  public void sendFile(FileChannel file, long offset, long count) {
    if (count <= FilePump.SHORT && !isOnLoop()) {
      sendShort(file, offset, (int) count);
      return;
    }
    answered();
    onLoop(
        () -> response.sendFile(file, offset, count),
        () -> {
          FilePump.close(file);
          hungUp();
        });
  }

  @Override
  public boolean upgradable() {
    return !old
        && !isUpgraded()
        && (body == null || body.isEmpty())
        && !response.isStarted()
        && ConnectionOptions.upgrade(headers())
        && !ConnectionOptions.close(headers());
  }

  @Override
  protected void beginUpgrade(Headers lines) {
    input = new UpgradedInput(this);
    onLoop(() -> handOver(lines), this::hungUp);
  }

  private void handOver(Headers lines) {
    response.upgrade(lines);
    if (isOver()) {
      hungUp(); // the exchange ended earlier, so the new input was not notified
    }
  }

  @Override
  public void abort() {
    onLoop(connection::abort);
  }

  @Override
  protected void holdsBody(boolean holds) {
    connection.holdsBody(this, holds);
  }

  @Override
  protected void cutOff() {
    connection.closeNow();
  }

  @Override
  protected boolean isHeadSent() {
    return response.isHeadSent();
  }

  @Override
  public int sentStatus(int started) {
    return isUnsent() ? 0 : response.sentStatus(started);
  }

  boolean isHead() {
    return method().equals("HEAD");
  }

  /** Returns true if the client uses HTTP/1.0. */
  boolean isOld() {
    return old;
  }

  /**
   * Returns true if this is the last request of its connection. The client may ask for that. It
   * also applies to WebSocket requests: a proxy may take any response for an upgrade, and would
   * then no longer check the bytes that follow, which this server would parse as requests.
   */
  boolean isLast() {
    return last;
  }

  private boolean endsConnection() {
    return ConnectionOptions.close(headers())
        || (old && !ConnectionOptions.keepAlive(headers()))
        || (headers().contains("Upgrade") && WebSocketHandshake.isRequested(headers()));
  }

  /** Returns true if the connection has been upgraded. */
  boolean isUpgraded() {
    return input instanceof UpgradedInput;
  }

  /** Returns true if the body or the upgraded input has not ended. */
  boolean hasMore() {
    Input from = input;
    return from != null && from.hasMore();
  }

  /** Returns true if the complete response has been written. */
  boolean isAnswered() {
    return done || response.ended();
  }

  /** Returns the maximum number of bytes to read from the connection at once. */
  int mostRead() {
    Input from = input;
    return from == null ? BodyBuffer.LITTLE : from.mostRead();
  }

  /**
   * Receives bytes of the body.
   *
   * @return the index after the last byte of the body
   */
  int take(byte[] data, int from, int to) {
    Input taking = input;
    return taking == null ? from : taking.take(data, from, to);
  }

  /**
   * Returns true if too much of the body is left to read and discard it after a complete response,
   * or if the client waits for a 100 response before it sends the body.
   */
  boolean leavesBody() {
    Input from = input;
    return from != null && from.leavesMuch();
  }

  /** Discards the rest of the body after the response. */
  void discardBody() {
    Input from = input;
    if (from != null) {
      from.discard(() -> onLoop(() -> connection.reader().settle(this)));
    }
  }

  @Override
  public void writeContinue() {
    onLoop(response::writeContinue);
  }

  @Override
  public void skipsInput() {
    response.closes();
    connection.skipsInput();
  }

  /** Ends the body if the client has taken longer for it than the options allow. */
  void check(long now) {
    look(now);
    Input from = input;
    if (from != null && from.isOverdue(now, connection.limits().options())) {
      skipsInput();
      from.end(new HttpError(408, "request timed out", "request.timeout", null));
    }
  }

  /** Called when the client has closed its output. Returns true if the input may be complete. */
  boolean endsInput() {
    Input from = input;
    return from == null || from.endsWell();
  }

  @Override
  public void hungUp() {
    ClientDisconnectedException gone = new ClientDisconnectedException(null);
    Input from = input;
    try {
      if (from != null) {
        from.end(gone);
      }
    } finally {
      over(gone);
    }
  }

  /** Writes a short response on the calling thread. Returns false if that was not possible. */
  private boolean writeDirectly(ByteBuffer last) {
    NioResponse.Written written;
    try {
      written = response.writeDirectly(connection.limits().writers(), last);
    } catch (IOException e) {
      onLoop(connection::closeNow, this::hungUp);
      return true;
    }
    if (written == NioResponse.Written.ALL) {
      over(null);
      done = true;
      connection.reader().doneElsewhere(this);
    }
    return written != NioResponse.Written.NOTHING;
  }

  /** Reads a short file on the calling thread, which may block. */
  private void sendShort(FileChannel file, long offset, int count) {
    ByteBuffer bytes = FilePump.readAll(file, offset, count);
    if (bytes == null) { // the file is shorter than declared in the head
      answered();
      abort();
    } else {
      end(bytes);
    }
  }
}
