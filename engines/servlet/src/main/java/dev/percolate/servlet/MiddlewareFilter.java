package dev.percolate.servlet;

import dev.percolate.core.AppState;
import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.FatalErrorHandler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs middleware before the servlets of a container, for example a request logger in a Spring Boot
 * application.
 *
 * <pre>
 *   &#64;Bean
 *   MiddlewareFilter accessLog() {
 *     return new MiddlewareFilter(RequestLogger.of("combined"));
 *   }
 * </pre>
 *
 * <p>Requests that the middleware passes on reach the remaining filters and the servlets. An
 * application is middleware too: it responds to the requests that match its routes. Everything runs
 * on the container's thread in one call, so thread locals work. If middleware responds later, the
 * thread waits. Error and asynchronous dispatches skip the middleware.
 *
 * <p>Middleware sees the servlet's response through hooks. {@code onHeaders} runs before the first
 * byte of the body. {@code onFinish} runs exactly once, when the request is over, even after an
 * exception (with status 500), after {@code sendError}, and when the container completes or times
 * out an asynchronous request. If the response has no {@code Content-Length}, {@code onFinish} sees
 * the number of bytes that the servlet wrote. The container's own error pages are not counted.
 * Middleware cannot change the body: responses of servlets are not compressed, and {@code Sessions}
 * stores a session before the first byte.
 *
 * <p>Exceptions of servlets go to the container, not to error handlers in this filter. If no error
 * handler handles an exception of the middleware, the client gets the default error page.
 *
 * <p>A body can be read once. If a body parser in this filter has read it, servlets that read it
 * get an {@link IllegalStateException}. With {@code keepRaw(true)}, the parser keeps the
 * decompressed bytes, and servlets read them with {@code getInputStream} and {@code getReader}. For
 * servlets, {@code Content-Length} is then the length of these bytes, and {@code Content-Encoding}
 * is absent. Form parameters stay unavailable, because the container parses them itself.
 *
 * <p>Middleware sees the normal form of the path, as in an application, and without parameters such
 * as {@code ;jsessionid=1}, which containers ignore too. So {@code /admin;x/users} does not evade a
 * check at {@code /admin}. Ambiguous targets get a 400 and never reach middleware or servlets, see
 * {@link Settings#AMBIGUOUS_TARGETS}. How servlets interpret other targets is up to the container.
 *
 * <p>The filter does not start if middleware fails its {@link StartCheck}, for example if a
 * directory does not exist.
 *
 * <p>Register the filter with asynchronous support, as Spring Boot does. Otherwise the servlets
 * after it cannot process requests asynchronously.
 */
public final class MiddlewareFilter implements Filter {

  private static final AtomicLong NUMBER = new AtomicLong();

  static {
    FatalErrorHandler.processIsHosted(); // other applications in the container must keep running
  }

  private final String seen = "dev.percolate.servlet.seen-" + NUMBER.incrementAndGet();
  private final AppState appState;
  private final List<Middleware> middleware;
  private final Chain steps;
  private final Service service;

  /**
   * Creates a filter with the default settings.
   *
   * @param steps the middleware, in order
   */
  public MiddlewareFilter(Middleware... steps) {
    this(new Settings(), steps);
  }

  /**
   * Creates a filter.
   *
   * @param settings the settings, such as {@code trust proxy} and {@code ambiguous targets}
   * @param steps the middleware, in order
   */
  public MiddlewareFilter(Settings settings, Middleware... steps) {
    this.appState = new AppState(settings);
    this.middleware = Chain.flat(List.of(steps));
    this.steps = Chain.of(steps);
    this.service = Chain.service(settings, steps);
  }

  @Override
  public void init(FilterConfig config) {
    ListenOptions options = ListenOptions.ofPort(0); // as for handlers on threads that may block
    for (int i = 0; i < middleware.size(); i++) {
      if (middleware.get(i) instanceof StartCheck check) {
        check.checkStart(options, middleware.subList(0, i));
      }
    }
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
    appState.notifyShutdown();
  }

  private void serve(HttpServletRequest req, HttpServletResponse res, FilterChain chain)
      throws IOException, ServletException {
    BlockingExchange exchange = new BlockingExchange(ServletStreams.withoutParameters(req, res));
    FilterExchange passage = new FilterExchange(exchange, req, res, chain);
    exchange.serve(begun -> walk(begun, passage));
    passage.rethrow();
    exchange.throwIfCut();
  }

  private void walk(Exchange exchange, FilterExchange passage) {
    Request req = RequestControl.admit(exchange, appState, service);
    if (req != null) {
      steps.handle(req, req.response(), passage.behind(req));
    }
  }
}
