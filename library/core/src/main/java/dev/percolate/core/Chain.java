package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Combines middleware and handlers into one middleware, which calls them in order. */
public final class Chain implements Middleware {

  private final List<Middleware> steps;

  private Chain(List<Middleware> steps) {
    this.steps = steps;
  }

  /**
   * Creates a chain.
   *
   * @param steps the middleware and handlers, in order; nested chains are flattened
   * @throws IllegalArgumentException if one of them is null
   */
  public static Chain of(Middleware... steps) {
    if (Arrays.asList(steps).contains(null)) {
      throw new IllegalArgumentException("Chain.of(…): steps must not be null");
    }
    return new Chain(flat(List.of(steps)));
  }

  /**
   * Returns a list in which each chain is replaced by its middleware and handlers.
   *
   * @param steps middleware, handlers and chains
   */
  public static List<Middleware> flat(List<Middleware> steps) {
    return steps.stream()
        .flatMap(step -> step instanceof Chain chain ? chain.steps.stream() : Stream.of(step))
        .toList();
  }

  /**
   * Creates a service from middleware and handlers, without an application. Requests that no
   * handler responds to get the default response.
   *
   * @param settings the settings of the service
   * @param steps the middleware and handlers, in order, such as a logger, a parser and a handler
   */
  public static Service service(Settings settings, Middleware... steps) {
    return new Served(new AppState(settings), List.of(steps));
  }

  /** Returns the middleware and handlers, in order. */
  public List<Middleware> steps() {
    return steps;
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    dispatch(steps, req, res, next);
  }

  static void dispatch(List<Middleware> steps, Request req, Response res, Next out) {
    new StepsDispatch(steps, req, res, out).advance(null);
  }

  private static final class StepsDispatch extends Dispatch {

    private final List<Middleware> steps;
    private final Next out;
    private int index;

    StepsDispatch(List<Middleware> steps, Request req, Response res, Next out) {
      super(req, res);
      this.steps = steps;
      this.out = out;
    }

    @Override
    protected void advance(@Nullable Throwable error) {
      while (index < steps.size()) {
        Middleware step = steps.get(index++);
        if (step instanceof ErrorHandler == (error != null)) {
          call(step, error);
          return;
        }
      }
      if (error != null) {
        out.fail(error);
      } else {
        out.run();
      }
    }

    @Override
    protected void leaveRoute() {
      out.route();
    }

    @Override
    protected String position() {
      return "step " + index + " of " + steps.size();
    }
  }

  /** Serves requests with a fixed chain. */
  private record Served(AppState appState, List<Middleware> steps) implements Service {

    @Override
    public void serve(Exchange exchange) {
      Request req = RequestControl.admit(exchange, appState, this);
      if (req != null) {
        dispatch(steps, req, req.response(), new FinalHandler(req.response()));
      }
    }

    @Override
    public void onShutdown() {
      appState.notifyShutdown();
    }

    @Override
    public void onRejected(Exchange exchange, int status, Headers headers) {
      Request req = new Request(exchange, appState, false);
      req.response().alreadyStarted(status, headers);
      for (Middleware step : steps) {
        if (step instanceof RejectionListener listener) {
          Callbacks.run("a rejection listener", () -> listener.onRejected(req, req.response()));
        } else if (step instanceof Service service) {
          Callbacks.run(
              "a rejection listener", () -> service.onRejected(exchange, status, headers));
        }
      }
    }
  }
}
