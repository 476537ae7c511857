package dev.percolate.servlet;

import dev.percolate.core.ExternalResponse;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Passes one request from the middleware to the rest of the container's filter chain. */
final class FilterExchange {

  private final BlockingExchange exchange;
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final FilterChain chain;
  private @Nullable Throwable thrown;

  FilterExchange(
      BlockingExchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain) {
    this.exchange = exchange;
    this.request = request;
    this.response = response;
    this.chain = chain;
  }

  /**
   * Returns the end of the middleware chain. It passes requests on, and errors get the default
   * page.
   */
  Next behind(Request req) {
    FinalHandler last = new FinalHandler(req.response());
    return new Next() {
      @Override
      public void run() {
        ExternalResponse answer = ExternalResponse.claim(req.response());
        if (answer != null) {
          pass(req, answer);
        }
      }

      @Override
      public void fail(Throwable error) {
        last.fail(error);
      }

      @Override
      public void route() {
        last.route();
      }
    };
  }

  /** Rethrows an exception of the container's filters and servlets, for the container to handle. */
  void rethrow() throws IOException, ServletException {
    Throwable error = thrown;
    if (error instanceof IOException io) {
      throw io;
    } else if (error instanceof ServletException servlet) {
      throw servlet;
    } else if (error instanceof RuntimeException runtime) {
      throw runtime;
    } else if (error instanceof Error fatal) {
      throw fatal;
    }
  }

  private void pass(Request req, ExternalResponse answer) {
    Response res = req.response();
    if (res.status() != 200) {
      response.setStatus(res.status());
    }
    ResponseHeaders.write(res.headers(), response);
    WrappedResponse out = new WrappedResponse(response, answer, req.method().equals("HEAD"));
    WrappedRequest in = new WrappedRequest(request, out, req, error -> finish(out, error));
    try {
      chain.doFilter(in, out);
    } catch (Throwable e) {
      thrown = e;
    }
    if (in.isLeftToOthers()) {
      exchange.detach(FilterExchange::reject, any -> {});
    } else {
      finish(out, thrown);
    }
  }

  private void finish(WrappedResponse out, @Nullable Throwable error) {
    out.finish(error);
    exchange.over(error);
  }

  /**
   * Rejects tasks: the container's thread has returned, and the middleware has passed the request
   * on.
   */
  private static void reject(Runnable task) {
    throw new RejectedExecutionException("a servlet completes the request");
  }
}
