package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import dev.percolate.http.TimeSpan;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives up on requests that are not answered in time: they end with the error 503, {@code Response
 * timeout}, with the fields {@code code} ({@code ETIMEDOUT}) and {@code timeout} (milliseconds).
 *
 * <p>The error goes to the error handlers behind the step that holds the request. While that step
 * keeps its thread busy, or blocks it, no error handler can run, and the answer is the default page
 * of the error, with those headers set so far that do not describe a body. In both cases the step
 * itself goes on; {@link #WATCH} tells it that nobody waits any more, and what it answers later is
 * refused, with a line in the log once a second at most. An answer that starts in time ends the
 * watch, however long the rest of it takes.
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
public final class Timeout implements Middleware {

  /** The watch over a request. */
  public static final Key<Watch> WATCH = Key.of("timeout", Watch.class);

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final long DEFAULT_MILLIS = 5000;

  private final long millis;
  private final boolean respond;
  private final @Nullable Consumer<Request> listener;

  private Timeout(long millis, boolean respond, @Nullable Consumer<Request> listener) {
    this.millis = millis;
    this.respond = respond;
    this.listener = listener;
  }

  /** Watches over one request. Any thread may use it. */
  public static final class Watch {

    private static final int ARMED = 0;
    private static final int CLEARED = 1;
    private static final int EXPIRED = 2;

    private final AtomicInteger state = new AtomicInteger(ARMED);
    private volatile @Nullable Runnable cancel;

    private Watch() {}

    /** Tells whether the time is over. */
    public boolean expired() {
      return state.get() == EXPIRED;
    }

    /** Ends the watch: the request may take as long as it likes. */
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

  /** Returns up after five seconds. */
  public static Timeout of() {
    return of(DEFAULT_MILLIS);
  }

  /**
   * Returns up after a time.
   *
   * @param millis milliseconds
   * @return the middleware
   * @throws IllegalArgumentException if it is negative
   */
  public static Timeout of(long millis) {
    return new Timeout(TimeSpan.millis("timeout", millis), true, null);
  }

  /**
   * Returns up after a time.
   *
   * @param time a time such as {@code 30s}; see {@link dev.percolate.http.TimeSpan}
   * @return the middleware
   * @throws IllegalArgumentException if it is none
   */
  public static Timeout of(String time) {
    return new Timeout(TimeSpan.millis("timeout", time), true, null);
  }

  /**
   * Chooses whether a request whose time is over ends with an error, or is only marked.
   *
   * @param respond false to mark it
   */
  public Timeout respond(boolean respond) {
    return new Timeout(millis, respond, listener);
  }

  /**
   * Tells somebody of requests whose time is over.
   *
   * @param listener is called before the error goes on, on a thread of the common pool; what it
   *     throws is logged, and the error goes on all the same
   */
  public Timeout onTimeout(Consumer<Request> listener) {
    return new Timeout(millis, respond, listener);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    Watch watch = new Watch();
    req.attr(WATCH, watch);
    res.onHeaders(watch::clear);
    res.onFinish(watch::clear);
    watch.cancel = DaemonTimer.after(Duration.ofMillis(millis), () -> expire(watch, req));
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
      req.giveUp(error);
    }
  }

  private static void tell(Consumer<Request> listener, Request req) {
    try {
      listener.accept(req);
    } catch (Throwable e) { // nobody else would answer
      LOG.log(Level.ERROR, "onTimeout failed: " + req, e);
    }
  }
}
