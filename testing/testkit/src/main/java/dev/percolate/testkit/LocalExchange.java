package dev.percolate.testkit;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import org.jspecify.annotations.Nullable;

/** An exchange without a socket. Reports its end exactly once. */
abstract class LocalExchange implements Exchange {

  /** The default address of clients. */
  static final String LOOPBACK = "127.0.0.1";

  private final String method;
  private final String target;
  private SerialExecutor executor;

  // Guarded by this.
  private @Nullable OnEnd onEnd;
  private boolean finished;
  private @Nullable Throwable failure;

  LocalExchange(String method, String target, SerialExecutor executor) {
    this.method = method;
    this.target = target;
    this.executor = executor;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String httpVersion() {
    return "1.1";
  }

  @Override
  public String remoteAddress() {
    return LOOPBACK;
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public SerialExecutor executor() {
    return executor;
  }

  /** Replaces the serial executor before the exchange is served. */
  final void executor(SerialExecutor other) {
    executor = other;
  }

  @Override
  public void onEnd(OnEnd callback) {
    if (!keeps(callback)) {
      callback.ended(failure());
    }
  }

  /** Ends the exchange and calls back. Returns false if it has already ended. */
  final boolean finish(@Nullable Throwable reason) {
    OnEnd callback;
    synchronized (this) {
      if (finished) {
        return false;
      }
      finished = true;
      failure = reason;
      callback = onEnd;
    }
    if (callback != null) {
      callback.ended(reason);
    }
    return true;
  }

  final synchronized boolean isFinished() {
    return finished;
  }

  /** Returns the reason why the response is incomplete; null if it is complete or has not ended. */
  final synchronized @Nullable Throwable failure() {
    return failure;
  }

  private synchronized boolean keeps(OnEnd callback) {
    if (onEnd != null) {
      throw new IllegalStateException("onEnd must be called at most once");
    }
    onEnd = callback;
    return !finished;
  }
}
