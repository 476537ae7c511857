package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.Quantity;
import dev.percolate.http.TimeSpan;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that limits the time until the response starts. After that time, the request ends with
 * the 503 error {@code Response timeout}, with the fields {@code code} ({@code ETIMEDOUT}) and
 * {@code timeout} (milliseconds).
 *
 * <p>The error goes to the error handlers after the current handler. If the handler of the request
 * still occupies or blocks its thread, they cannot run: the client gets the default error page,
 * with the headers set so far that do not describe a body. In both cases, the handler continues to
 * run, and can check {@link #WATCH}. A late response is rejected, and logged at most once per
 * second. The limit does not apply to the body of a response that has started.
 *
 * <pre>{@code
 * app.use(Timeout.of("30 seconds"));
 * app.get("/report", (req, res) -> {
 *   while (rows.next() && !req.attr(Timeout.WATCH).expired()) { ... }
 * });
 * app.post("/upload", (req, res, next) -> { req.attr(Timeout.WATCH).clear(); next.run(); }, ...);
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class Timeout extends Copyable<Timeout> implements Middleware {

  /** The state of the timeout of a request. */
  public static final Key<Watch> WATCH =
      Key.of("timeout", Watch.class).providedBy("app.use(Timeout.of(\"5s\"))");

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final long millis;
  private boolean respond = true;
  private @Nullable Consumer<Request> listener;

  private Timeout(long millis) {
    this.millis = millis;
  }

  /** The state of the timeout of one request. Thread-safe. */
  public static final class Watch {

    private static final int ARMED = 0;
    private static final int CLEARED = 1;
    private static final int EXPIRED = 2;

    private final AtomicInteger state = new AtomicInteger(ARMED);
    private volatile @Nullable Runnable cancel;

    private Watch() {}

    /** Returns true if the request has timed out. */
    public boolean expired() {
      return state.get() == EXPIRED;
    }

    /** Cancels the timeout, so that the request may take any time. */
    public void clear() {
      state.compareAndSet(ARMED, CLEARED);
      Runnable set = cancel;
      if (set != null) {
        set.run();
      }
    }

    private boolean expire() {
      return state.compareAndSet(ARMED, EXPIRED);
    }
  }

  /** Creates a timeout of five seconds. */
  public static Timeout of() {
    return of(5000);
  }

  /**
   * Creates a timeout.
   *
   * @param millis the time in milliseconds
   * @return the middleware
   * @throws IllegalArgumentException if the time is negative
   */
  public static Timeout of(long millis) {
    return new Timeout(TimeSpan.millis("timeout", millis));
  }

  /**
   * Creates a timeout.
   *
   * @param time a time such as {@code 30s}; see {@link dev.percolate.http.TimeSpan}
   * @return the middleware
   * @throws IllegalArgumentException if the time is invalid
   */
  public static Timeout of(String time) {
    return new Timeout(TimeSpan.millis("timeout", time));
  }

  /**
   * Sets whether a timeout ends the request with an error. If not, only the listener is called and
   * {@link Watch#expired} returns true. Default: true.
   *
   * @param respond false to send no error
   */
  public Timeout respond(boolean respond) {
    return with(copy -> copy.respond = respond);
  }

  /**
   * Sets a listener for requests that time out.
   *
   * @param listener is called before the error handlers, on a timer thread that it must not block.
   *     If it throws, the exception is logged
   */
  public Timeout onTimeout(Consumer<Request> listener) {
    return with(copy -> copy.listener = listener);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    Watch watch = new Watch();
    req.attr(WATCH, watch);
    res.onHeaders(watch::clear);
    res.onFinish(watch::clear);
    Duration time = Quantity.notNegative("timeout", Duration.ofMillis(millis));
    watch.cancel = DaemonTimer.after(time, () -> expire(watch, req));
    next.run();
  }

  private void expire(Watch watch, Request req) {
    if (!watch.expire()) {
      return;
    }
    if (listener != null) {
      tell(listener, req);
    }
    if (respond) {
      HttpError error =
          new HttpError(503, "Response timeout").with("code", "ETIMEDOUT").with("timeout", millis);
      DaemonTimer.execute(() -> req.fail(error));
    }
  }

  private static void tell(Consumer<Request> listener, Request req) {
    try {
      listener.accept(req);
    } catch (Throwable e) { // the request must still get a response
      LOG.log(Level.ERROR, "onTimeout failed: " + req, e);
    }
  }
}
