package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.WebSocketHandshake;
import dev.percolate.nio.protocol.BareInput;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.protocol.Input;
import dev.percolate.nio.protocol.LoopExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. The connection is touched on its loop only: what other threads ask
 * for is brought there, in order.
 */
final class NioExchange extends LoopExchange implements FramedBody.Sender {

  private final NioConnection connection;
  private final String method;
  private final String target;
  private final String version;
  private final boolean old;
  private final Headers headers;
  private final boolean last;
  private final NioAnswer answer;
  private final @Nullable FramedBody body;

  /** The body, or what comes over a connection that has been handed over; null if nothing does. */
  private volatile @Nullable Input input;

  /** Whether nothing but the whole answer is to be written, which any thread may do. */
  private boolean direct;

  /** Whether it has been, on another thread than the loop's. */
  private volatile boolean done;

  /**
   * Creates the exchange of a head.
   *
   * @param head what was read
   * @param length that of the body, as {@link Framing} tells it
   */
  NioExchange(NioConnection connection, HeadParser head, long length) {
    super(connection.loop(), connection.server());
    this.connection = connection;
    this.method = head.method();
    this.target = head.target();
    this.version = head.version();
    this.old = version.equals("1.0");
    this.headers = head.headers();
    this.last = endsConnection();
    this.answer = new NioAnswer(this, connection);
    if (length == Framing.NONE || length == Framing.DOUBTFUL) {
      body = null;
    } else {
      body = new FramedBody(this, length, bodyRoom(), progress(), connection.server().options());
      input = body;
    }
  }

  /** Lets the request in, with what has come of its body. */
  void begin() {
    connection.server().began();
    if (body != null) {
      // A client of HTTP/1.0 would take it for the answer (RFC 9110 §10.1.1).
      body.begin(!old && headers.contains("Expect"));
    }
  }

  /** Leads the request through the chain. */
  void serve() {
    direct = !hasMore() && !connection.output().isPending();
    enter();
  }

  /** Answers a request that is not let in. */
  void refuse(int status, Headers sent) {
    connection.server().began();
    if (body != null) {
      body.end(null); // what there is of it is not looked at
    }
    answer.closes();
    answer.start(status, sent);
    answer.end(ByteBuffer.allocate(0));
  }

  @Override
  public boolean secure() {
    return connection.wire().isSecure();
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    return connection.wire().clientCertificates();
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String httpVersion() {
    return version;
  }

  @Override
  protected BodyMemory.Share share() {
    return connection.share();
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
    answer.start(status, lines); // seen by the task of the loop that follows
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    if (!isQueued() && !isOnLoop()) {
      queue();
    }
    onLoop(() -> answer.write(bytes, callback), () -> callback.written(new ClientGone(null)));
  }

  @Override
  public void end(ByteBuffer last) {
    answered();
    if (!isQueued() && isOnLoop()) {
      answer.end(last);
    } else if (!direct || isQueued() || !endHere(last)) {
      onLoop(() -> answer.end(last), this::hungUp);
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
        () -> answer.sendFile(file, offset, count),
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
        && !answer.isStarted()
        && ConnectionOptions.upgrade(headers)
        && !ConnectionOptions.close(headers);
  }

  @Override
  public void upgrade(Headers lines, Runnable taken) {
    if (!upgradable()) {
      throw new IllegalStateException(method + " " + target + ": cannot be upgraded");
    }
    answered();
    if (!isOnLoop()) {
      queue(); // what is written on the loop must not come before the head
    }
    input = new BareInput(this);
    onLoop(() -> handOver(lines), this::hungUp);
    turn().execute(taken);
  }

  private void handOver(Headers lines) {
    answer.upgrade(lines);
    if (isOver()) {
      hungUp(); // before it was, so nobody has told the new input
    }
  }

  @Override
  public void abort() {
    onLoop(connection::abort, NioExchange::doNothing);
  }

  @Override
  public void pause() {
    onLoop(() -> connection.holdsBody(this, true), NioExchange::doNothing);
  }

  @Override
  public void resume() {
    onLoop(() -> connection.holdsBody(this, false), NioExchange::doNothing);
  }

  @Override
  protected void cutOff() {
    connection.closeNow();
  }

  @Override
  protected boolean isHeadSent() {
    return answer.isHeadSent();
  }

  @Override
  public int sentStatus(int started) {
    return isUnsent() ? 0 : answer.sentStatus(started);
  }

  boolean isHead() {
    return method.equals("HEAD");
  }

  /** Tells whether the client speaks HTTP/1.0. */
  boolean isOld() {
    return old;
  }

  /**
   * Tells whether this is the last request of its connection: since the client wants that, or has
   * asked for a WebSocket, of which a proxy in front may take any answer for a yes. It would no
   * longer look at what follows, which is no request to us, then.
   */
  boolean isLast() {
    return last;
  }

  private boolean endsConnection() {
    return ConnectionOptions.close(headers)
        || (old && !ConnectionOptions.keepAlive(headers))
        || (headers.contains("Upgrade") && WebSocketHandshake.isAsked(headers));
  }

  /** Tells whether the connection no longer speaks HTTP. */
  boolean isUpgraded() {
    return input instanceof BareInput;
  }

  /** Tells whether more of the body is to come, or of what has taken its place. */
  boolean hasMore() {
    Input from = input;
    return from != null && from.hasMore();
  }

  /** Tells whether the steps have given their answer, and all of it is on its way. */
  boolean isAnswered() {
    return done || answer.ended();
  }

  /** Tells how much may be read of the connection at once, which has more of the body. */
  int mostRead() {
    Input from = input;
    return from == null ? BodyBuffer.LITTLE : from.mostRead();
  }

  /**
   * Takes what has come of the body.
   *
   * @return where the bytes begin that come behind it
   */
  int take(byte[] data, int from, int to) {
    Input taking = input;
    return taking == null ? from : taking.take(data, from, to);
  }

  /**
   * Tells whether more of a body is left than will be taken off the connection behind a whole
   * answer: the client sends too much, or waits to be asked for it.
   */
  boolean leavesBody() {
    Input from = input;
    return from != null && from.leavesMuch();
  }

  /** Drops what is to come of the body, now that the answer is given. */
  void discardBody() {
    Input from = input;
    if (from != null) {
      from.discard(() -> onLoop(() -> connection.reader().settle(this), NioExchange::doNothing));
    }
  }

  @Override
  public void writeContinue() {
    onLoop(answer::writeContinue, NioExchange::doNothing);
  }

  @Override
  public void skipsInput() {
    answer.closes();
    connection.skipsInput();
  }

  /** Ends the body if the client has taken longer for it than the options allow. */
  void check(long now) {
    look(now);
    Input from = input;
    if (from != null && from.isOverdue(now, connection.server().options())) {
      skipsInput();
      from.end(new HttpError(408, "request timed out", "request.timeout", null));
    }
  }

  /** Notes that the client sends no more; tells whether it may have sent all that it wanted. */
  boolean endsInput() {
    Input from = input;
    return from == null || from.endsWell();
  }

  @Override
  public void hungUp() {
    ClientGone gone = new ClientGone(null);
    Input from = input;
    try {
      if (from != null) {
        from.end(gone);
      }
    } finally {
      over(gone);
    }
  }

  /** Writes a short answer on the calling thread; tells whether that could be done. */
  private boolean endHere(ByteBuffer last) {
    NioAnswer.Written written;
    try {
      written = answer.endHere(connection.server().writers(), last);
    } catch (IOException e) {
      onLoop(connection::closeNow, this::hungUp);
      return true;
    }
    if (written == NioAnswer.Written.ALL) {
      over(null);
      done = true;
      connection.reader().doneElsewhere(this);
    }
    return written != NioAnswer.Written.NOTHING;
  }

  /** Reads a short file on the calling thread, which may wait for the disk. */
  private void sendShort(FileChannel file, long offset, int count) {
    ByteBuffer bytes = FilePump.readAll(file, offset, count);
    if (bytes == null) { // it has become shorter than the head says
      answered();
      abort();
    } else {
      end(bytes);
    }
  }

  private static void doNothing() {} // its connection is gone
}
