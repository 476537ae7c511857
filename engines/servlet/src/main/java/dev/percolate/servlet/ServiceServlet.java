package dev.percolate.servlet;

import dev.percolate.core.StartCheck;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.FatalErrorHandler;
import dev.percolate.engine.Service;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Serves the requests of a servlet container with a service, such as an application.
 *
 * <pre>
 *   context.addServlet("app", new ServiceServlet(app)).addMapping("/*");
 * </pre>
 *
 * <p>Handlers run on the container's thread. If this servlet and all filters before it support
 * asynchronous requests, the thread is free as soon as no handler runs. Any thread may then respond
 * later. Otherwise the thread waits for the response. The service sees the whole path, including
 * the context path and the mapping. Mount the application there.
 *
 * <p>The servlet does not start if an application fails its {@link StartCheck}, for example if a
 * route lacks a required middleware.
 *
 * <p>Some behavior depends on the container. A closed connection is noticed only when reading or
 * writing. The container itself responds to malformed requests and to targets that it considers
 * ambiguous, such as {@code /a%2Fb}; no logger sees them. Configure timeouts, limits and TLS in the
 * container. Some containers change the case of header names, or write {@code
 * text/html;charset=utf-8} without a space.
 *
 * <p>WebSockets and other {@linkplain dev.percolate.engine.Exchange#upgrade upgrades} need a
 * container that supports {@link HttpServletRequest#upgrade} and reports the end of a request
 * without a body, such as Tomcat. In Jetty 12.1, upgrades are not available. The container's thread
 * waits for the response to an upgrade request. Afterwards it is free while the client sends
 * nothing and while received data is read. Handlers then run on virtual threads if available,
 * otherwise on a thread pool. Writing has no timeout in Tomcat.
 */
public final class ServiceServlet implements Servlet {

  static {
    FatalErrorHandler.processIsHosted(); // other applications in the container must keep running
  }

  private final Service service;
  private @Nullable ServletConfig config;

  /**
   * Creates a servlet.
   *
   * @param service handles all requests
   */
  public ServiceServlet(Service service) {
    this.service = service;
  }

  @Override
  public void init(ServletConfig config) {
    this.config = config;
    if (service instanceof StartCheck check) {
      check.checkStart();
    }
  }

  @Override
  public @Nullable ServletConfig getServletConfig() {
    return config;
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) throws IOException {
    ConnectionCut.throwCause(request);
    HttpServletRequest req = (HttpServletRequest) request;
    HttpServletResponse res = (HttpServletResponse) response;
    BlockingExchange exchange = new BlockingExchange(ServletStreams.of(req, res));
    if (req.isAsyncSupported() && !exchange.upgradable()) {
      exchange.begin(service::serve);
    } else {
      exchange.serve(service::serve);
    }
    if (exchange.isOver()) {
      exchange.throwIfCut();
    } else if (!exchange.isUpgraded()) {
      leave(exchange, req.startAsync(req, res));
    }
  }

  @Override
  public String getServletInfo() {
    return "Percolate";
  }

  @Override
  public void destroy() {
    service.onShutdown();
  }

  /**
   * Releases the container's thread. The rest of the request runs on other threads of the
   * container.
   */
  private static void leave(BlockingExchange exchange, AsyncContext async) {
    async.setTimeout(0);
    async.addListener(new AsyncEnd(error -> exchange.over(new ClientDisconnectedException(error))));
    boolean goesOn = exchange.detach(task -> start(task, async), any -> complete(exchange, async));
    if (!goesOn) {
      complete(exchange, async);
    }
  }

  private static void start(Runnable task, AsyncContext async) {
    try {
      async.start(task);
    } catch (IllegalStateException e) {
      throw new RejectedExecutionException(e);
    }
  }

  private static void complete(BlockingExchange exchange, AsyncContext async) {
    try {
      end(exchange, async);
    } catch (IllegalStateException e) {
      // the container has already completed the request
    }
  }

  private static void end(BlockingExchange exchange, AsyncContext async) {
    try {
      exchange.throwIfCut();
      async.complete();
    } catch (IOException e) {
      ConnectionCut.begin(async, e);
    }
  }
}
