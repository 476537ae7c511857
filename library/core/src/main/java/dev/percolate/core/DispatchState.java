package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.HttpError;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the processing of one request: the handler that was called last, the nesting of
 * handlers, and a stack overflow. Used only on the executor of the exchange, except for messages
 * and the response timeout.
 */
final class DispatchState implements SerialExecutor.Owner, ResponseTimeout.Owner {

  /**
   * The maximum nesting of handlers. After that, the rest runs when these handlers have returned.
   */
  static final int NESTED = 200;

  /** Names the trace in log entries about its exceptions. */
  static final String TRACE = "a request trace";

  private final Request req;
  final SerialExecutor executor;

  /** The current nesting. Changed without a call, which may fail near a stack overflow. */
  int depth;

  private volatile @Nullable CurrentHandler current;
  private @Nullable CurrentHandler overflowed;
  private @Nullable Throwable overflow;

  /** Written before {@link #current}, so that threads that read that first see it. */
  private @Nullable RequestTrace trace;

  DispatchState(Request req) {
    this.req = req;
    this.executor = req.exchange().executor();
  }

  /** Sets the handler that was called last. */
  void current(CurrentHandler handler) {
    current = handler;
  }

  @Override
  public @Nullable CurrentHandler current() {
    return current;
  }

  /** Sets the trace that is informed of all handlers from the next one on. */
  void trace(@Nullable RequestTrace trace) {
    this.trace = trace;
  }

  @Nullable RequestTrace trace() {
    return trace;
  }

  /**
   * Stores a stack overflow, to continue with it after the stack has unwound. Uses almost no stack
   * itself. If an overflow causes further ones, the first counts.
   */
  void overflowed(CurrentHandler handler, Throwable error) {
    if (overflow == null) {
      overflowed = handler;
      overflow = error;
    }
  }

  @Override
  public void resume() {
    while (overflow != null && overflowed != null) {
      CurrentHandler handler = overflowed;
      Throwable error = overflow;
      overflow = null;
      handler.advance(error);
    }
  }

  /**
   * Handles an exception that a task threw outside of a handler. No other code would send a
   * response.
   */
  @Override
  public void escaped(Throwable thrown) {
    req.late(thrown);
    ErrorResponse.end(thrown, req.response());
  }

  @Override
  public boolean mayBlock() {
    return req.exchange().mayBlock();
  }

  @Override
  public void starved(Throwable cause) {
    Exchange exchange = req.exchange();
    appState().faultLog().starved(cause, req);
    exchange.abort();
  }

  @Override
  public AppState appState() {
    return req.appState();
  }

  @Override
  public void reportHang(String report) {
    appState().faultLog().hangs(report);
    traceHang(report);
  }

  private void traceHang(String report) {
    RequestTrace observer = trace;
    if (observer != null) {
      Callbacks.run(TRACE, () -> observer.onHang(report));
    }
  }

  @Override
  public boolean isAnswered() {
    return req.response().answer().taken() || req.response().finishHooks().areOver();
  }

  @Override
  public boolean isComputing() {
    Thread thread = executor.thread();
    if (thread == null) {
      return false;
    }
    Thread.State state = thread.getState();
    return state == Thread.State.RUNNABLE
        || state == Thread.State.BLOCKED
        || Stream.of(thread.getStackTrace()).anyMatch(DispatchState::isOfColdStart);
  }

  /** Returns true for a frame that loads or initializes a class, or waits for a lock. */
  private static boolean isOfColdStart(StackTraceElement frame) {
    String type = frame.getClassName();
    String method = frame.getMethodName();
    return type.equals(ClassLoader.class.getName())
        || method.equals("<clinit>")
        || (type.startsWith("java.util.concurrent.locks.") && method.equals("lock"));
  }

  @Override
  public long bodyReadAt(long now, long before) {
    Body body = req.stream;
    return body == null ? before : body.readAt(now, before);
  }

  /** Sends 503 after a timeout, on the serial executor if it is idle, else on another thread. */
  @Override
  public void expire(Duration time) {
    Response res = req.response();
    if (res.answer().taken()) {
      return;
    }
    String report = "no response within " + time + ": " + req.responseTimeout().waits();
    appState().faultLog().unanswered(report);
    traceHang(report);
    HttpError error = new HttpError(503, "Response timeout");
    // Not passed to error handlers, which may not respond either.
    if (!executor.executeIfIdle(() -> ErrorResponse.end(error, res))) {
      DaemonTimer.execute(() -> ErrorResponse.end(error, res));
    }
  }

  @Override
  public String head() {
    return req.head();
  }

  @Override
  public String toString() {
    CurrentHandler handler = current;
    return handler == null ? "no step" : handler.position();
  }
}
