package dev.percolate.testkit;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
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
 * Watches middleware and exchanges at work, and fails the test that breaks their contract. This
 * page is that contract.
 *
 * <p>A <b>middleware</b>, for each request that it is called with,
 *
 * <ol>
 *   <li>answers, or passes on by one of the methods of {@code next}, or throws; now or later, but
 *       some time: no exchange stays open for ever;
 *   <li>passes on once at most;
 *   <li>does not pass on what it has answered ({@code next.fail} for an answer that broke in the
 *       middle is allowed), nor answer what it has passed on;
 *   <li>writes nothing once the answer is ended;
 *   <li>runs alone: no other step of the same request runs beside it. Its turns see to that, unless
 *       it works on the request from a thread that it does not pass on from;
 *   <li>may rely on each hook of {@code onFinish} running exactly once.
 * </ol>
 *
 * <p>An <b>exchange</b>, by the one who answers on it,
 *
 * <ol>
 *   <li>is started once, then written to any number of times, then ended once, by {@code end} or
 *       {@code sendFile}; nothing follows the end;
 *   <li>has no line break in any header;
 *   <li>has no body after {@code HEAD}, nor with status 1xx, 204 and 304;
 *   <li>is read by one reading at a time;
 *   <li>tells its end exactly once, also when the client hangs up.
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

  /** Creates one that gives exchanges 5 s to end. */
  public Lint() {
    this(DEADLINE);
  }

  /**
   * Creates one with a deadline.
   *
   * @param deadline how long {@link #check} waits for what is still open
   */
  public Lint(Duration deadline) {
    this.deadline = deadline;
  }

  /** A step that also sees refused requests, both watched. */
  private record Watched(Lint lint, Middleware step, RefusalListener witness)
      implements Middleware, RefusalListener {

    @Override
    public void handle(Request req, Response res, Next next) throws Exception {
      LintVisit visit = lint.visit(step, req, res, next);
      visit.play(() -> step.handle(req, res, visit));
    }

    @Override
    public void refused(Request req, Response res) {
      witness.refused(req, res);
    }
  }

  /**
   * Watches one middleware.
   *
   * @param step the middleware; an {@link ErrorHandler} or {@link RefusalListener} stays one
   * @return the same, watched
   */
  public Middleware around(Middleware step) {
    if (step instanceof ErrorHandler handler) {
      return (ErrorHandler)
          (error, req, res, next) -> {
            LintVisit visit = visit(step, req, res, next);
            visit.play(() -> handler.handle(error, req, res, visit));
          };
    }
    if (step instanceof RefusalListener witness) {
      return new Watched(this, step, witness);
    }
    return (req, res, next) -> {
      LintVisit visit = visit(step, req, res, next);
      visit.play(() -> step.handle(req, res, visit));
    };
  }

  /**
   * Watches the exchanges of a service.
   *
   * @param service the service
   * @return the same, watched
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
      public void draining() {
        service.draining();
      }

      @Override
      public void refused(Exchange exchange, int status, Headers headers) {
        service.refused(exchange, status, headers);
      }
    };
  }

  /**
   * Returns the violations so far, in their order.
   *
   * @return a sentence for each
   */
  public List<String> violations() {
    return List.copyOf(violations);
  }

  /**
   * Waits until everything that was watched is over, and fails if any rule was broken.
   *
   * @throws AssertionError naming each violation
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
