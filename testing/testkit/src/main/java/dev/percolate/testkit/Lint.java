package dev.percolate.testkit;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Checks that middleware and exchanges obey their contracts, and fails the test otherwise. The
 * contracts are:
 *
 * <p>A <b>middleware</b>, for each request that it handles,
 *
 * <ol>
 *   <li>responds, or passes the request on with a method of {@code next}, or throws. It may do so
 *       later, but must not leave the exchange open forever;
 *   <li>passes the request on at most once;
 *   <li>does not pass on a request to which it has responded, and does not respond to a request
 *       that it has passed on. Calling {@code next.fail} for a response that failed midway is
 *       allowed;
 *   <li>writes nothing after the end of the response;
 *   <li>does not run at the same time as another handler of the same request. The library ensures
 *       this, unless the middleware works on the request from a thread of its own;
 *   <li>can rely on each {@code onFinish} hook to run exactly once.
 * </ol>
 *
 * <p>An <b>exchange</b>
 *
 * <ol>
 *   <li>is started once, then written to any number of times, then ended once with {@code end} or
 *       {@code sendFile}. Nothing follows the end;
 *   <li>has no line break in a header;
 *   <li>has no body after {@code HEAD}, or with the status codes 1xx, 204 and 304;
 *   <li>has at most one read of the body in progress;
 *   <li>reports its end exactly once, even if the client disconnects.
 * </ol>
 *
 * <pre>
 *   Lint lint = new Lint();
 *   Service service = lint.service(Chain.service(settings, lint.around(parser), handler));
 *   Reply reply = Call.post("/").body("x").to(service);
 *   lint.check();
 * </pre>
 */
public final class Lint {

  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 2;

  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Queue<LintExchange> exchanges = new ConcurrentLinkedQueue<>();
  private final Queue<LintVisit> visits = new ConcurrentLinkedQueue<>();
  private final Duration deadline;

  /** Creates a lint that waits up to 5 seconds for exchanges to end. */
  public Lint() {
    this(DEADLINE);
  }

  /**
   * Creates a lint with a deadline.
   *
   * @param deadline the maximum time that {@link #check} waits for exchanges to end
   */
  public Lint(Duration deadline) {
    this.deadline = deadline;
  }

  /** A checked middleware that also observes rejected requests. */
  private record Watched(Lint lint, Middleware step, RejectionListener listener)
      implements Middleware, RejectionListener {

    @Override
    public void handle(Request req, Response res, Next next) throws Exception {
      LintVisit visit = lint.visit(step, req, res, next);
      visit.play(() -> step.handle(req, res, visit));
    }

    @Override
    public void onRejected(Request req, Response res) {
      listener.onRejected(req, res);
    }
  }

  /**
   * Wraps a middleware to check it.
   *
   * @param step the middleware. The result is also an {@link ErrorHandler} or {@link
   *     RejectionListener} if the middleware is one
   * @return the checked middleware
   */
  public Middleware around(Middleware step) {
    if (step instanceof ErrorHandler handler) {
      return (ErrorHandler)
          (error, req, res, next) -> {
            LintVisit visit = visit(step, req, res, next);
            visit.play(() -> handler.handle(error, req, res, visit));
          };
    }
    if (step instanceof RejectionListener listener) {
      return new Watched(this, step, listener);
    }
    return (req, res, next) -> {
      LintVisit visit = visit(step, req, res, next);
      visit.play(() -> step.handle(req, res, visit));
    };
  }

  /**
   * Wraps a service to check its exchanges.
   *
   * @param service the service
   * @return the checked service
   */
  public Service service(Service service) {
    return new Service() {
      @Override
      public void serve(Exchange exchange) {
        LintExchange watched = new LintExchange(exchange, violations::add);
        exchanges.add(watched);
        service.serve(watched);
      }

      @Override
      public void onShutdown() {
        service.onShutdown();
      }

      @Override
      public void onRejected(Exchange exchange, int status, Headers headers) {
        service.onRejected(exchange, status, headers);
      }
    };
  }

  /**
   * Returns the violations so far, in order.
   *
   * @return one sentence for each violation
   */
  public List<String> violations() {
    return List.copyOf(violations);
  }

  /**
   * Waits until all checked requests have ended, and fails if there are violations.
   *
   * @throws AssertionError if there are violations; the message lists them
   */
  public void check() {
    awaitOver();
    exchanges.forEach(LintExchange::checkOver);
    exchanges.clear();
    visits.forEach(LintVisit::checkOver);
    visits.clear();
    if (!violations.isEmpty()) {
      throw new AssertionError(String.join("\n", violations));
    }
  }

  private LintVisit visit(Middleware step, Request req, Response res, Next next) {
    LintVisit visit = new LintVisit(step, req, res, next, violations::add);
    visits.add(visit);
    return visit;
  }

  private void awaitOver() {
    BooleanSupplier open =
        () ->
            exchanges.stream().anyMatch(one -> !one.isOver())
                || visits.stream().anyMatch(one -> !one.isOver());
    long end = System.nanoTime() + deadline.toNanos();
    while (open.getAsBoolean() && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
