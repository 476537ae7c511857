package dev.percolate.servlet;

import dev.percolate.core.AppContext;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorCounters;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.BlockingExchange;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.FatalErrorHandler;
import dev.percolate.engine.Service;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts middleware in front of the servlets of a container: a request logger, say, in any program of
 * Spring Boot.
 *
 * <pre>
 *   &#64;Bean
 *   MiddlewareFilter accessLog() {
 *     return new MiddlewareFilter(RequestLogger.of("combined"));
 *   }
 * </pre>
 *
 * <p>A request walks through the steps; what they pass on goes to the filters and servlets behind.
 * An application is a step too: it answers what it has routes for. All of this happens on the
 * container's thread, inside one call, so that thread locals hold; a step that answers later makes
 * that thread wait. A request that is dispatched again, after an error or asynchronously, passes
 * through without its steps.
 *
 * <p>Of what servlets answer, steps learn in the hooks: {@code onHeaders} runs before the first
 * byte of the body, {@code onFinish} exactly once, when the request is over: after an exception
 * (then the status is 500), after {@code sendError}, and where a servlet goes on asynchronously
 * when the container has completed that, by a time-out too. There, {@code Content-Length} is the
 * number of bytes that the servlet wrote if the answer does not say; what the container puts on its
 * own error pages is not counted. What servlets throw goes to the container, not to error handlers
 * among the steps; what steps throw, and none of them handles, gets the default page.
 *
 * <p>A body can be read once. If a body parser among the steps has read it, servlets that ask for
 * it get an {@link IllegalStateException} that says so; a parser with {@code keepRaw(true)} keeps
 * the bytes, and servlets read these, inflated, by {@code getInputStream} and {@code getReader}.
 * Parameters of forms are never found again: a container reads those by itself.
 *
 * <p>Steps go by the normal form of the path, as in an application; a target that can mean two
 * things gets a 400 before any of them, and never comes to servlets ({@link
 * Settings#AMBIGUOUS_TARGETS}). What servlets make of the others is up to the container.
 *
 * <p>Register the filter for asynchronous support (Spring Boot does), else no servlet behind it has
 * any.
 */
public final class MiddlewareFilter implements Filter {

  private static final AtomicLong NUMBER = new AtomicLong();

  static {
    FatalErrorHandler.processIsHosted(); // other applications in the container must keep running
  }

  private final String seen = "dev.percolate.servlet.seen-" + NUMBER.incrementAndGet();
  private final AppContext scope;
  private final ErrorCounters faults;
  private final Chain steps;
  private final Service witnesses;

  /**
   * Creates a filter of some steps, with the default settings.
   *
   * @param steps the steps, in order
   */
  public MiddlewareFilter(Middleware... steps) {
    this(new Settings(), steps);
  }

  /**
   * Creates a filter of some steps.
   *
   * @param settings their settings, such as {@code trust proxy} and {@code ambiguous targets}
   * @param steps the steps, in order
   */
  public MiddlewareFilter(Settings settings, Middleware... steps) {
    this.scope = AppContext.of(settings);
    this.faults = new ErrorCounters(settings);
    this.steps = Chain.of(steps);
    this.witnesses = Chain.service(settings, steps);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ConnectionCut.throwCause(request);
    if (request instanceof HttpServletRequest req
        && response instanceof HttpServletResponse res
        && request.getAttribute(seen) == null) {
      request.setAttribute(seen, true);
      serve(req, res, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  @Override
  public void destroy() {
    faults.drain();
  }

  private void serve(HttpServletRequest req, HttpServletResponse res, FilterChain chain)
      throws IOException, ServletException {
    BlockingExchange exchange = new BlockingExchange(new ServletStreams(req, res), true);
    FilterExchange passage = new FilterExchange(exchange, req, res, chain);
    exchange.serve(begun -> walk(begun, passage));
    passage.rethrow();
    exchange.throwIfCut();
  }

  private void walk(Exchange exchange, FilterExchange passage) {
    Request req = Request.admit(exchange, scope, faults, witnesses);
    if (req != null) {
      steps.handle(req, req.response(), passage.behind(req));
    }
  }
}
