package dev.percolate.nio.protocol;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SafeLog;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.StateField;
import dev.percolate.http.Headers;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Progress;
import dev.percolate.nio.loop.StepPool;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response on an event loop. Handles everything that does not depend on the
 * protocol: the threads of the handlers, the server's limits, and the end of the exchange.
 */
public abstract class LoopExchange implements Exchange, Progress.Ends, BodyBuffer.Flow {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  private static final Over ANSWERED = new Over(null, true);
  private static final VarHandle UNANSWERED =
      StateField.of(MethodHandles.lookup(), "unanswered", boolean.class);
  private static final VarHandle END = StateField.of(MethodHandles.lookup(), "end", Object.class);

  private final ExchangeConnection connection;
  private final ExchangeLoop loop;
  private final ServerLimits serverLimits;
  private final String method;
  private final String target;
  private final String version;
  private final Headers headers;
  private final SerialExecutor executor;
  private final @Nullable Progress progress;
  private BodyMemory.@Nullable Reservation reservation;

  /** Whether the caller of {@link #reservation} releases the room. */
  private volatile boolean roomIsAsked;

  /** Whether other threads have queued parts of the response on the loop. */
  private volatile boolean queued;

  /** Whether the server must still be notified that the handlers have responded. */
  private volatile boolean unanswered;

  /** Null, then the listener if there is one, then the result, an {@link Over}. */
  private volatile @Nullable Object end;

  private record Over(@Nullable Throwable failure, boolean headSent) {}

  /** Creates the exchange of a request. */
  @SuppressWarnings("this-escape") // only stored
  protected LoopExchange(
      ExchangeConnection connection,
      String method,
      String target,
      String version,
      Headers headers) {
    this.connection = connection;
    this.loop = connection.loop();
    this.serverLimits = connection.limits();
    this.method = method;
    this.target = target;
    this.version = version;
    this.headers = headers;
    this.executor = loop.newExecutor();
    this.progress = loop.pool() == null ? null : new Progress(this, System.nanoTime());
  }

  /** Called when the client has disconnected. */
  public abstract void hungUp();

  /** Ends the exchange, even if part of its response has been sent. Called on the loop. */
  protected abstract void cutOff();

  /**
   * Returns true if the system has accepted a part of the response, or will accept it. Called once,
   * when the exchange ends before its response is complete.
   */
  protected abstract boolean isHeadSent();

  /** Pauses or resumes reading the body. Called on the loop. */
  protected abstract void holdsBody(boolean holds);

  /** Starts to upgrade the connection. Called once. */
  protected abstract void beginUpgrade(Headers lines);

  @Override
  public final String method() {
    return method;
  }

  @Override
  public final String target() {
    return target;
  }

  @Override
  public final String httpVersion() {
    return version;
  }

  @Override
  public final Headers headers() {
    return headers;
  }

  @Override
  public final String remoteAddress() {
    return connection.remoteAddress();
  }

  @Override
  public final boolean secure() {
    return connection.isSecure();
  }

  @Override
  public final List<X509Certificate> clientCertificates() {
    return connection.clientCertificates();
  }

  /** Reserves memory for a body, which is released at the end. Called at most once. */
  protected final BodyMemory.Reservation bodyReservation() {
    BodyMemory.Reservation taken = connection.share().reservation();
    reservation = taken;
    return taken;
  }

  /** Returns the record of the client's speed; null if the server has no pool. */
  protected final @Nullable Progress progress() {
    return progress;
  }

  /** Passes the request to the service. */
  protected final void enter() {
    unanswered = serverLimits.stepping();
    try {
      executor.execute(() -> serverLimits.service().serve(this));
    } catch (RuntimeException | Error e) { // such as "unable to create native thread"
      LOG.log(Level.ERROR, "no thread for a request; it was aborted", e);
      abort();
    }
  }

  /** Tells the service that the server has rejected the request. */
  protected final void tellRejection(int status, Headers sent) {
    Callbacks.run(
        "the rejection callback of the service",
        () -> serverLimits.service().onRejected(this, status, sent));
  }

  @Override
  public final void upgrade(Headers lines, Runnable taken) {
    if (!upgradable()) {
      throw new IllegalStateException(method + " " + target + ": cannot be upgraded");
    }
    answered();
    if (!loop.isHere()) {
      queue(); // output of the loop must not be sent before the head
    }
    beginUpgrade(lines);
    executor.execute(taken);
  }

  @Override
  public final void pause() {
    onLoop(() -> holdsBody(true));
  }

  @Override
  public final void resume() {
    onLoop(() -> holdsBody(false));
  }

  @Override
  public final boolean mayBlock() {
    return !loop.isHere();
  }

  @Override
  public final SerialExecutor executor() {
    return executor;
  }

  @Override
  public final void await(BooleanSupplier over) {
    StepPool pool = loop.pool();
    if (pool != null && progress != null) {
      pool.await(progress, () -> Exchange.park(over));
    } else {
      Exchange.park(over);
    }
  }

  @Override
  public final Duration responseTimeout() {
    return serverLimits.options().responseTimeout();
  }

  @Override
  public final Duration bodyTimeout() {
    return serverLimits.options().bodyTimeout();
  }

  @Override
  public final BodyMemory.Reservation reservation() {
    roomIsAsked = true;
    BodyMemory.Reservation known = reservation;
    return known == null ? connection.share().reservation() : known;
  }

  @Override
  public final boolean rejectReservation() {
    return reservation != null && reservation.reject();
  }

  @Override
  public final void onEnd(OnEnd callback) {
    Object now = end;
    while (!(now instanceof Over) && !END.compareAndSet(this, now, (Object) callback)) {
      now = end;
    }
    if (now instanceof Over over) {
      tell(callback, over.failure);
    }
  }

  /** Records that the client must take a part of the response. */
  public final void owes() {
    if (progress != null) {
      progress.owes(System.nanoTime());
    }
  }

  /**
   * Records that the client must take a part of the response, until the returned callback is
   * called, which calls the given one.
   */
  public final OnWritten owed(OnWritten callback) {
    owes();
    return failure -> {
      try {
        pays();
      } finally {
        callback.written(failure);
      }
    };
  }

  /** Records that the client has taken a part of the response. */
  public final void pays() {
    if (progress != null) {
      progress.pays(System.nanoTime());
    }
  }

  /** Records the bytes that the client has taken since the last call. */
  public final void moved(long bytes) {
    if (progress != null && bytes > 0) {
      progress.moved((int) Math.min(bytes, 1 << 30), System.nanoTime());
    }
  }

  /** Records the time of a periodic check. */
  protected final void look(long now) {
    if (progress != null) {
      progress.look(now);
    }
  }

  /** Notifies the server, once, that the handlers have responded or cannot respond any more. */
  protected final void answered() {
    if (unanswered && UNANSWERED.compareAndSet(this, true, false)) {
      serverLimits.answered();
    }
  }

  /**
   * Ends the exchange after its response was sent or has failed. Returns true on the first call.
   */
  public final boolean over(@Nullable Throwable cause) {
    Over how = cause == null ? ANSWERED : new Over(cause, isHeadSent());
    Object told = end;
    while (!(told instanceof Over) && !END.compareAndSet(this, told, (Object) how)) {
      told = end;
    }
    if (told instanceof Over) {
      return false;
    }
    try {
      answered();
      if (reservation != null && !roomIsAsked) {
        reservation.release();
      }
    } finally {
      try {
        tell(told, cause);
      } finally {
        executor.executeHere(this::finished);
      }
    }
    return true;
  }

  /** Calls the listener, if any. Logs a failure, which must not reach others on the loop. */
  private static void tell(@Nullable Object told, @Nullable Throwable cause) {
    try {
      if (told instanceof OnEnd listener) {
        listener.ended(cause);
      }
    } catch (Throwable thrown) {
      Callbacks.failed("an onEnd callback of a request", thrown);
    }
  }

  /** Called when the exchange is over and none of its handlers runs any more. */
  protected void finished() {
    serverLimits.finished();
  }

  /** Returns true if it ended before the head of its response was passed to the connection. */
  protected final boolean isUnsent() {
    return end instanceof Over over && !over.headSent;
  }

  /** Returns true if the exchange is over. */
  protected final boolean isOver() {
    return end instanceof Over;
  }

  /** Queues later operations on the loop after those that other threads have submitted. */
  protected final void queue() {
    queued = true;
  }

  /** Returns true if operations are queued. */
  protected final boolean isQueued() {
    return queued;
  }

  /** Returns true if the calling thread is the thread of the loop. */
  protected final boolean isOnLoop() {
    return loop.isHere();
  }

  /**
   * Runs a task on the loop, after parts of the response that are queued there. Drops it if the
   * loop has ended.
   */
  public final void onLoop(Runnable task) {
    onLoop(task, () -> {});
  }

  /** Runs a task on the loop, after parts of the response that are queued there. */
  public final void onLoop(Runnable task, Runnable lost) {
    if (!queued && loop.isHere()) {
      task.run();
    } else {
      loop.execute(() -> runOnLoop(task), lost);
    }
  }

  /**
   * Runs a task of another thread. If it fails, ends the exchange, so that the client does not
   * wait.
   */
  private void runOnLoop(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // such as a lack of memory for the head of a response
      SafeLog.log(LOG, Level.ERROR, "a response could not be sent; its request was ended", e);
      cutOff();
    }
  }
}
