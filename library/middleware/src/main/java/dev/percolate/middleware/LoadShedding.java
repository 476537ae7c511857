package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.RareWarning;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.Quantity;
import dev.percolate.http.UriReference;
import dev.percolate.middleware.overload.AdmissionQueue;
import dev.percolate.middleware.overload.AdmissionQueue.Entry;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that rejects requests while the server is overloaded (load shedding). Other requests
 * are then served as fast as usual. Add it before all other middleware except loggers and metrics.
 *
 * <p>A request that has waited for a thread for too long is rejected. A limit on concurrent
 * requests, adapted to measured throughput and latency, also makes requests wait that would
 * otherwise wait inside handlers, such as for a connection of a database pool. A rejected request
 * gets 503 with {@code Retry-After: 1}: an {@link HttpError} of the type {@link #TYPE}. A warning
 * is logged at most once a minute.
 *
 * <p>A request counts until its response starts. So clients that read slowly, WebSockets and event
 * streams do not take the place of others. Handlers of requests that have waited run outside the
 * calls of earlier middleware, so values bound around {@code next.run()} are lost.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   priority      NORMAL     which requests are rejected first
 *   concurrency   adaptive   the maximum number of concurrent requests
 * </pre>
 *
 * <pre>{@code
 * app.use(LoadShedding.of(Duration.ofMillis(100))
 *     .priority("/health", Priority.CRITICAL)
 *     .priority("/reports", Priority.LOW));
 * }</pre>
 */
@CheckReturnValue
public final class LoadShedding extends Copyable<LoadShedding> implements Middleware {

  /** The priority of a request. */
  public enum Priority {
    /** Never waits, is never rejected and does not count: health checks, long polling. */
    CRITICAL,
    /** Waits twice as long, and starts before all others. */
    HIGH,
    /** The default. */
    NORMAL,
    /** Waits half as long, starts after all others, and leaves a quarter of the limit to them. */
    LOW
  }

  /** The {@link HttpError#type} of the error of a rejected request. */
  public static final String TYPE = "server.overloaded";

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private final Duration maxWait;
  private final LongSupplier clock;
  private final BiFunction<Duration, Runnable, ?> timer;
  private final RareWarning warning = new RareWarning();
  private AdmissionQueue queue;
  private Function<Request, Priority> priority = req -> Priority.NORMAL;

  /** Creates middleware with another clock and timer, for tests. */
  LoadShedding(Duration maxWait, LongSupplier clock, BiFunction<Duration, Runnable, ?> timer) {
    this.maxWait = Quantity.atLeast("maxWait", Duration.ofMillis(1), maxWait);
    this.clock = clock;
    this.timer = timer;
    this.queue = new AdmissionQueue(clock, timer, maxWait, 0);
  }

  /**
   * Creates middleware that rejects requests that have to wait for too long.
   *
   * @param maxWait the longest wait of a request with the priority {@link Priority#NORMAL}, at
   *     least 1 ms. It should be longer than most handlers compute; 100 ms suits most applications
   * @throws IllegalArgumentException if it is shorter
   */
  public static LoadShedding of(Duration maxWait) {
    SerialExecutor.measureWaits();
    return new LoadShedding(maxWait, System::nanoTime, DaemonTimer::after);
  }

  /**
   * Sets the priority of requests to a path and to paths below it. If several paths match, the one
   * that was set last applies.
   *
   * @param path the path, such as {@code /reports}, in upper or lower case, encoded or not
   * @param priority the priority
   * @throws IllegalArgumentException if the path does not start with {@code /}, or ends with it
   */
  public LoadShedding priority(String path, Priority priority) {
    if (!path.startsWith("/") || path.endsWith("/")) {
      throw Options.wrong("priority", path, "must start with / and not end with it");
    }
    String below = UriReference.encode(path) + "/";
    return priority(
        req ->
            (req.path() + "/").regionMatches(true, 0, below, 0, below.length()) ? priority : null);
  }

  /**
   * Sets the priority of requests by a function, for example by the kind of customer.
   *
   * @param priority returns the priority; null for the one set before
   */
  public LoadShedding priority(Function<Request, @Nullable Priority> priority) {
    Function<Request, Priority> before = this.priority;
    return with(
        copy ->
            copy.priority =
                req -> {
                  Priority own = priority.apply(req);
                  return own == null ? before.apply(req) : own;
                });
  }

  /**
   * Sets a fixed limit on concurrent requests, for example twice the size of the pool for which
   * they wait. Default: adapted to measured throughput and latency.
   *
   * @param requests 1 or more
   */
  public LoadShedding concurrency(int requests) {
    int checked = Quantity.atLeast("concurrency", 1, requests);
    return with(copy -> copy.queue = new AdmissionQueue(clock, timer, maxWait, checked));
  }

  /** Returns the number of requests that run, for a gauge. */
  public long running() {
    return queue.running();
  }

  /** Returns the number of waiting requests, for a gauge. */
  public long waiting() {
    return queue.waiting();
  }

  /** Returns the number of rejected requests, for a metric. */
  public long rejected() {
    return queue.rejected();
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    Priority own = priority.apply(req);
    if (own == Priority.CRITICAL) {
      next.run();
      return;
    }
    int rank = own == Priority.HIGH ? 0 : own == Priority.LOW ? 2 : 1;
    Entry entry = new Entry(rank, next, () -> reject(res, next));
    res.onHeaders(() -> queue.leave(entry));
    res.onFinish(() -> queue.leave(entry));
    queue.enter(entry, RequestControl.waitedNanos(req));
  }

  private void reject(Response res, Next next) {
    if (warning.isDue()) {
      String text = "Server is overloaded: %d requests rejected since the start; %d run, %d wait";
      LOG.log(Level.WARNING, text.formatted(rejected(), running(), waiting()));
    }
    res.onHeaders(() -> res.set("Retry-After", "1")); // set on the thread of the response
    next.fail(HttpError.overload("server is overloaded", TYPE).with("retryAfter", 1));
  }
}
