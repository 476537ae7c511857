package dev.percolate.servlet;

import dev.percolate.engine.BlockingExchange;
import dev.percolate.engine.ClientGone;
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
 * Answers the requests of a servlet container by a service, such as an application.
 *
 * <pre>
 *   context.addServlet("app", new ServiceServlet(app)).addMapping("/*");
 * </pre>
 *
 * <p>Steps run on the container's thread. Where it supports asynchronous requests, for this servlet
 * and all filters in front, that thread is free again as soon as no step runs, and an answer may
 * come later from anywhere; elsewhere the thread waits for it. The service sees the whole path,
 * those of the context and of the mapping included: mount the application there.
 *
 * <p>What containers cannot do, this engine cannot: a client that has gone is noticed by reading
 * and writing only. Malformed heads, and targets that the container calls ambiguous, such as {@code
 * /a%2Fb}, are answered by the container, and no logger sees them. Time-outs, limits and TLS are
 * settings of the container. Some containers change the case of header names and write {@code
 * text/html;charset=utf-8} without a blank.
 *
 * <p>A connection is {@linkplain dev.percolate.engine.Exchange#upgrade handed over} where the
 * container does that ({@link HttpServletRequest#upgrade}) and tells that a request without a body
 * is at its end: Tomcat is one of them. Jetty 12.1 is not: it takes what follows the request for
 * its body, which has ended, and speaks HTTP again. The container's thread waits for the answer to
 * a request that asks for another protocol; then it is free while the client sends nothing, or what
 * it sends is read. Steps run on virtual threads where the JDK has them, else on those of a pool;
 * writing has no time limit in Tomcat.
 */
public final class ServiceServlet implements Servlet {

  static {
    FatalErrorHandler.processIsHosted(); // other applications in the container must keep running
  }

  private final Service service;
  private @Nullable ServletConfig config;

  /**
   * Creates the servlet of a service.
   *
   * @param service answers all requests
   */
  public ServiceServlet(Service service) {
    this.service = service;
  }

  @Override
  public void init(ServletConfig config) {
    this.config = config;
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
    BlockingExchange exchange = new BlockingExchange(new ServletStreams(req, res), true);
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
    service.draining();
  }

  /** Frees the container's thread; what is still to come runs on others of the container. */
  private static void leave(BlockingExchange exchange, AsyncContext async) {
    async.setTimeout(0);
    async.addListener(new AsyncEnd(error -> exchange.over(new ClientGone(error))));
    boolean goesOn = exchange.leave(task -> start(task, async), any -> complete(exchange, async));
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
      // the container has ended the request already
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
