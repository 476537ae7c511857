package dev.percolate.engine;

import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An exchange of blocking streams, for engines that give each request a thread.
 *
 * <p>All steps run on the thread that brought the request; between them it waits for what others
 * pass on. Reading and writing block the caller. A client that has gone is noticed only by reading
 * and writing. A body that nobody has read comes off the connection behind the answer, and after
 * those who wait for the end. A connection that is handed over goes on without that thread.
 *
 * <pre>
 *   BlockingExchange exchange = new BlockingExchange(streams, true);
 *   exchange.serve(service::serve);      // returns when the exchange is over
 *   exchange.throwIfCut();               // tells the engine to close the connection
 * </pre>
 */
public final class BlockingExchange implements Exchange {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  private final Streams streams;
  private final Headers headers;
  private final RequestThread thread = new RequestThread();
  private final Turn turn;
  private final BlockingBody body;
  private final BlockingAnswer answer;

  // Guarded by this.
  private @Nullable OnEnd onEnd;
  private @Nullable OnEnd engine;
  private boolean over;
  private boolean closed;
  private boolean cut;
  private @Nullable Throwable failure;

  private volatile @Nullable Connection connection;

  /** What an engine supplies: the head of the request, and the streams of the two bodies. */
  public interface Streams extends RequestHead {

    /** Returns the time that the answer may take to start; see {@link Exchange#answerTimeout}. */
    default Duration answerTimeout() {
      return Duration.ZERO;
    }

    /** Returns the time that a body waits for room; see {@link Exchange#bodyTimeout}. */
    default Duration bodyTimeout() {
      return Duration.ofSeconds(60);
    }

    /** Returns the budget that bodies have in memory. */
    default BodyMemory bodyMemory() {
      return BodyMemory.ofProcess();
    }

    /**
     * Returns the stream of the request's body; asked for once at most.
     *
     * @throws IOException if the client has gone
     */
    InputStream body() throws IOException;

    /**
     * Starts the answer.
     *
     * @param status its status
     * @param headers its headers
     * @param length how many bytes its body has, 0 if it cannot have one; -1 if that is not known
     * @return takes the body, and ends the answer when closed
     * @throws IOException if the client has gone
     */
    OutputStream start(int status, Headers headers, long length) throws IOException;

    /**
     * Tells whether the connection can be handed over; asked if nothing else speaks against it:
     * HTTP/1.1 asks for another protocol, and there is neither a body nor an answer.
     */
    default boolean upgrades() {
      return false;
    }

    /**
     * Answers 101, and hands the connection over as soon as the thread of the request has returned;
     * see {@link Exchange#upgrade}.
     *
     * @param headers those of the answer, {@code Upgrade} among them
     * @param taken is called once, when the connection can be read and written, or has gone
     * @param gone is called when it has gone, perhaps several times
     * @return the connection
     * @throws IllegalStateException if it cannot be handed over; nothing has been done then
     */
    default Connection upgrade(Headers headers, Runnable taken, OnEnd gone) {
      throw new IllegalStateException("the engine hands no connection over");
    }
  }

  /** A connection that has been handed over, and the threads of the steps that have it. */
  public interface Connection extends Executor {

    /**
     * Reads what the client sends, without waiting; one reading at a time.
     *
     * @param callback gets it; {@link ClientGone} when the connection is closed
     */
    void read(OnRead callback);

    /**
     * Sends bytes as they are; waits until they are on their way.
     *
     * @param bytes the bytes
     * @throws IOException if the client has gone
     */
    void write(ByteBuffer bytes) throws IOException;

    /** Closes the connection as soon as nobody writes. */
    void close();
  }

  /**
   * Creates the exchange of one request.
   *
   * @param streams the request, and where its answer goes
   * @param parks whether a step waits for a body inside its own call; see {@link ThreadMode#parks}
   */
  public BlockingExchange(Streams streams, boolean parks) {
    this.streams = streams;
    this.headers = streams.headers();
    this.turn = new Turn(thread, parks);
    this.body = new BlockingBody(streams, headers);
    this.answer = new BlockingAnswer(streams, body);
  }

  /**
   * Has a service answer the request, on the calling thread, and returns when the exchange is over
   * or has been {@linkplain #leave left}.
   *
   * @param service answers it, such as {@link Service#serve}
   */
  public void serve(Consumer<? super Exchange> service) {
    begin(service);
    thread.runAll();
  }

  /**
   * Has a service begin to answer the request, on the calling thread, and returns when no step
   * runs. The exchange is over then, or to be {@linkplain #leave left}.
   *
   * @param service answers it
   */
  public void begin(Consumer<? super Exchange> service) {
    turn.execute(() -> service.accept(this));
    thread.runWaiting();
  }

  /**
   * Lets the thread of the request go: {@link #serve} returns although the exchange is not over.
   *
   * @param others runs the steps that are still to come
   * @param end is called when the exchange is over, after all others
   * @return whether it is not over yet; if it is, nothing is called any more
   */
  public boolean leave(Executor others, OnEnd end) {
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
   * Notes that somebody else has answered, or that the connection is gone; does nothing if the
   * exchange is over.
   *
   * @param cause why the answer is not complete; null if it is
   */
  public void over(@Nullable Throwable cause) {
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
    if (turn.isMine()) {
      turn.execute(() -> close(cause)); // behind the step, and the hooks of its answer
    } else {
      close(cause);
    }
  }

  /** Tells whether the connection is handed over as soon as the thread of the request returns. */
  public boolean isUpgraded() {
    return connection != null;
  }

  /** Tells whether the exchange is over, and nothing is left to be done for it. */
  public synchronized boolean isOver() {
    return closed;
  }

  /**
   * Throws if the connection is to be closed, so that no client takes half an answer for a whole
   * one.
   *
   * @throws IOException why; the engine's own exception, if that was the reason
   */
  public synchronized void throwIfCut() throws IOException {
    if (cut) {
      Throwable cause = failure instanceof ClientGone ? failure.getCause() : failure;
      throw cause instanceof IOException own ? own : new IOException("cut off", cause);
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
  public List<X509Certificate> clientCertificates() {
    return List.of();
  }

  @Override
  public Turn turn() {
    return turn;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public void await(BooleanSupplier over) {
    Exchange.park(over);
  }

  @Override
  public Duration answerTimeout() {
    return streams.answerTimeout();
  }

  @Override
  public Duration bodyTimeout() {
    return streams.bodyTimeout();
  }

  @Override
  public BodyMemory.Room room() {
    return streams.bodyMemory().share(remoteAddress()).room();
  }

  @Override
  public boolean hasBody() {
    return body.announced();
  }

  @Override
  public void read(OnRead callback) {
    Connection upgraded = connection;
    if (upgraded != null) {
      upgraded.read(callback);
      return;
    }
    ByteBuffer chunk = null;
    Throwable wrong = null;
    try {
      if (hasEnded()) {
        throw new ClientGone(null);
      }
      chunk = body.next();
    } catch (IOException | RuntimeException e) {
      wrong = BlockingBody.failure(e);
    }
    if (wrong instanceof ClientGone) {
      cut(wrong);
    }
    callback.read(chunk, wrong);
  }

  @Override
  public void start(int status, Headers headers) {
    answer.start(status, headers);
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(failureOf(() -> send(bytes)));
  }

  @Override
  public void end(ByteBuffer last) {
    Sending sending = isUpgraded() ? () -> send(last) : () -> answer.end(last);
    over(failureOf(sending));
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    try (FileChannel channel = file) {
      over(failureOf(() -> answer.sendFile(channel, offset, length)));
    } catch (IOException e) {
      // it was open for reading only, and nobody will read it
    }
  }

  @Override
  public boolean upgradable() {
    return ConnectionOptions.upgrade(headers)
        && !ConnectionOptions.close(headers)
        && httpVersion().equals("1.1")
        && !body.announced()
        && !answer.isStarted()
        && !isUpgraded()
        && !hasEnded()
        && streams.upgrades();
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    if (!upgradable()) {
      throw new IllegalStateException(method() + " " + target() + ": cannot be upgraded");
    }
    Connection upgraded =
        streams.upgrade(
            headers, () -> turn.execute(taken), failure -> over(new ClientGone(failure)));
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
    return hasEnded() && answer.isUnsent() ? 0 : started;
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

  /** Calls the listener of the end. Logs a failure, so that the connection is still closed. */
  private static void tell(@Nullable OnEnd listener, @Nullable Throwable cause) {
    try {
      if (listener != null) {
        listener.ended(cause);
      }
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of the end of a request", thrown);
    }
  }

  /** Does something with the answer; gives what went wrong, after which there is no more of it. */
  private @Nullable Throwable failureOf(Sending sending) {
    if (hasEnded()) {
      return new ClientGone(null);
    }
    Throwable wrong;
    try {
      sending.send();
      return null;
    } catch (IOException e) {
      wrong = new ClientGone(e);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "an answer could not be sent", e);
      wrong = e;
    }
    cut(wrong);
    return wrong;
  }

  private void send(ByteBuffer bytes) throws IOException {
    Connection upgraded = connection;
    if (upgraded == null) {
      answer.write(bytes);
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

  /** Tells whether the answer is complete, or never will be. */
  private synchronized boolean hasEnded() {
    return over;
  }

  /** Gives the connection back, and lets the thread of the request go. */
  private void close(@Nullable Throwable cause) {
    OnEnd last;
    Throwable wrong = cause == null ? closeAnswer() : null;
    synchronized (this) {
      if (wrong != null) {
        cut = true;
        failure = wrong;
      }
      closed = true;
      last = engine;
    }
    thread.close();
    Connection upgraded = connection;
    try {
      if (upgraded != null) {
        upgraded.close();
      }
    } finally {
      tell(last, cause);
    }
  }

  private @Nullable Throwable closeAnswer() {
    try {
      answer.close();
      return null;
    } catch (IOException | RuntimeException e) {
      return new ClientGone(e);
    }
  }

  /** Does something with the answer. */
  @FunctionalInterface
  private interface Sending {

    void send() throws IOException;
  }
}
