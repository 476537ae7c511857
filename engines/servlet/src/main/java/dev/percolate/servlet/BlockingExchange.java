package dev.percolate.servlet;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.Service;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An exchange on blocking streams, with one thread for each request.
 *
 * <p>Middleware and handlers run on the thread of the request, which waits for their asynchronous
 * results. Reading and writing block the caller, and are the only ways to detect that the client
 * disconnected. An unread body is discarded after the response and its end callback. An upgraded
 * connection continues without the thread of the request.
 *
 * <pre>
 *   BlockingExchange exchange = new BlockingExchange(streams);
 *   exchange.serve(service::serve);      // returns when the exchange has ended
 *   exchange.throwIfCut();               // the container must close the connection
 * </pre>
 */
final class BlockingExchange implements Exchange {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  private final RequestStreams streams;
  private final Headers headers;
  private final RequestThread thread = new RequestThread();
  private final SerialExecutor executor;
  private final BlockingBody body;
  private final BlockingResponse response;

  // Guarded by this.
  private @Nullable OnEnd onEnd;
  private @Nullable OnEnd engine;
  private boolean over;
  private boolean closed;
  private boolean cut;
  private @Nullable Throwable failure;

  private volatile @Nullable ServletConnection connection;

  /**
   * Creates the exchange of one request.
   *
   * @param streams the request, and the streams of its bodies
   */
  BlockingExchange(RequestStreams streams) {
    this.streams = streams;
    this.headers = streams.headers();
    this.executor = new SerialExecutor(thread, true);
    this.body = new BlockingBody(streams, headers);
    this.response = new BlockingResponse(streams, body);
  }

  /**
   * Calls a service on the calling thread, and returns when the exchange has ended or was
   * {@linkplain #detach left}.
   *
   * @param service the service, such as {@link Service#serve}
   */
  void serve(Consumer<? super Exchange> service) {
    begin(service);
    thread.runAll();
  }

  /**
   * Calls a service on the calling thread, and returns when no task of the exchange runs. If the
   * exchange has not ended, call {@link #detach}.
   *
   * @param service the service
   */
  void begin(Consumer<? super Exchange> service) {
    executor.execute(() -> service.accept(this));
    thread.runWaiting();
  }

  /**
   * Releases the thread of the request: {@link #serve} returns although the exchange has not ended.
   *
   * @param others runs later tasks of the exchange
   * @param end called when the exchange has ended, after all other callbacks
   * @return true if the exchange continues; false if it has ended, and nothing is called
   */
  boolean detach(Executor others, OnEnd end) {
    synchronized (this) {
      if (closed) {
        return false;
      }
      engine = end;
    }
    thread.leave(others);
    return true;
  }

  /**
   * Ends the exchange, because the response was sent by other code, or the connection is closed.
   * Does nothing if the exchange has ended.
   *
   * @param cause the reason if the response is incomplete, else null
   */
  void over(@Nullable Throwable cause) {
    OnEnd listener;
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = cause;
      listener = onEnd;
    }
    tell(listener, cause);
    if (executor.isCurrent()) {
      executor.execute(() -> close(cause)); // after the current task and the response hooks
    } else {
      close(cause);
    }
  }

  /** Returns true if the connection is upgraded when the thread of the request returns. */
  boolean isUpgraded() {
    return connection != null;
  }

  /** Returns true if the exchange has ended and its resources are released. */
  synchronized boolean isOver() {
    return closed;
  }

  /**
   * Throws if the connection must be closed, so that the client does not take an incomplete
   * response for a complete one.
   *
   * @throws IOException with the reason; the engine's own exception if that was the reason
   */
  synchronized void throwIfCut() throws IOException {
    if (cut) {
      Throwable cause =
          failure instanceof ClientDisconnectedException ? failure.getCause() : failure;
      throw cause instanceof IOException own ? own : new IOException("incomplete response", cause);
    }
  }

  @Override
  public String method() {
    return streams.method();
  }

  @Override
  public String target() {
    return streams.target();
  }

  @Override
  public String httpVersion() {
    return streams.httpVersion();
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String remoteAddress() {
    return streams.remoteAddress();
  }

  @Override
  public boolean secure() {
    return streams.secure();
  }

  @Override
  public SerialExecutor executor() {
    return executor;
  }

  @Override
  public boolean hasBody() {
    return body.announced();
  }

  @Override
  public void read(OnRead callback) {
    ServletConnection upgraded = connection;
    if (upgraded != null) {
      upgraded.read(callback);
      return;
    }
    ByteBuffer chunk = null;
    Throwable wrong = null;
    try {
      if (hasEnded()) {
        throw new ClientDisconnectedException(null);
      }
      chunk = body.next();
    } catch (IOException | RuntimeException e) {
      wrong = BlockingBody.failure(e);
    }
    if (wrong instanceof ClientDisconnectedException) {
      cut(wrong);
    }
    callback.read(chunk, wrong);
  }

  @Override
  public void start(int status, Headers headers) {
    response.start(status, headers);
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(failureOf(() -> send(bytes)));
  }

  @Override
  public void end(ByteBuffer last) {
    BlockingResponse.Sending sending = isUpgraded() ? () -> send(last) : () -> response.end(last);
    over(failureOf(sending));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    try (FileChannel channel = file) {
      over(failureOf(() -> response.sendFile(channel, offset, length)));
    } catch (IOException e) {
      // open for reading only, so nothing is lost
    }
  }

  @Override
  public boolean upgradable() {
    return ConnectionOptions.upgrade(headers)
        && !ConnectionOptions.close(headers)
        && httpVersion().equals("1.1")
        && !body.announced()
        && !response.isStarted()
        && !isUpgraded()
        && !hasEnded()
        && streams.upgrades();
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    if (!upgradable()) {
      throw new IllegalStateException(method() + " " + target() + ": cannot be upgraded");
    }
    ServletConnection upgraded =
        streams.upgrade(
            headers,
            () -> executor.execute(taken),
            failure -> over(new ClientDisconnectedException(failure)));
    connection = upgraded;
    thread.leave(upgraded);
  }

  @Override
  public boolean blocksWriters() {
    return true;
  }

  @Override
  public void abort() {
    cut(new IOException("aborted"));
  }

  @Override
  public int sentStatus(int started) {
    return hasEnded() && response.isUnsent() ? 0 : started;
  }

  @Override
  public void onEnd(OnEnd callback) {
    synchronized (this) {
      if (!over) {
        onEnd = callback;
        return;
      }
    }
    tell(callback, failure);
  }

  /** Calls a listener of the end. Logs its exception, so that the connection is still closed. */
  private static void tell(@Nullable OnEnd listener, @Nullable Throwable cause) {
    try {
      if (listener != null) {
        listener.ended(cause);
      }
    } catch (Throwable thrown) {
      Callbacks.failed("callback for the end of a request", thrown);
    }
  }

  /**
   * Performs an operation on the response. Returns its failure, after which the exchange has ended.
   */
  private @Nullable Throwable failureOf(BlockingResponse.Sending sending) {
    if (hasEnded()) {
      return new ClientDisconnectedException(null);
    }
    Throwable wrong;
    try {
      sending.send();
      return null;
    } catch (IOException e) {
      wrong = new ClientDisconnectedException(e);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "response could not be sent", e);
      wrong = e;
    }
    cut(wrong);
    return wrong;
  }

  private void send(ByteBuffer bytes) throws IOException {
    ServletConnection upgraded = connection;
    if (upgraded == null) {
      response.write(bytes);
    } else {
      upgraded.write(bytes);
    }
  }

  private void cut(Throwable cause) {
    synchronized (this) {
      cut |= !over;
    }
    over(cause);
  }

  /** Returns true if the response is complete or failed. */
  private synchronized boolean hasEnded() {
    return over;
  }

  /** Closes the response, and releases the thread of the request. */
  private void close(@Nullable Throwable cause) {
    OnEnd last;
    Throwable wrong = cause == null ? closeResponse() : null;
    synchronized (this) {
      if (wrong != null) {
        cut = true;
        failure = wrong;
      }
      closed = true;
      last = engine;
    }
    thread.close();
    ServletConnection upgraded = connection;
    try {
      if (upgraded != null) {
        upgraded.close();
      }
    } finally {
      tell(last, cause);
    }
  }

  private @Nullable Throwable closeResponse() {
    try {
      response.close();
      return null;
    } catch (IOException | RuntimeException e) {
      return new ClientDisconnectedException(e);
    }
  }
}
