package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Runs one request through a list of middleware and handlers. Each kind of list has a subclass.
 *
 * <p>A dispatch belongs to one request and runs only on its executor, so its fields need no lock.
 * {@link #call} calls a handler, and is the only place that catches its exceptions. {@link
 * #advance} is called when the handler continues, with or without an error. Step 3 of docs/flow.md.
 */
public abstract class Dispatch {

  /** The request. */
  protected final Request req;

  /** The response. */
  protected final Response res;

  /**
   * Creates the dispatch of one request.
   *
   * @param req the request
   * @param res its response
   */
  protected Dispatch(Request req, Response res) {
    this.req = req;
    this.res = res;
  }

  /**
   * Calls the next matching handler after the one that was called last. At the end of the list,
   * continues after the list.
   *
   * @param error the error that the last handler threw or passed on; null if there is none
   */
  protected abstract void advance(@Nullable Throwable error);

  /** Skips the rest of the current route. Outside of a route, this is an error. */
  protected void leaveRoute() {
    advance(new IllegalStateException("next.route() was called outside of a route"));
  }

  /** Returns the handler that was called last, as text for messages. */
  protected abstract String position();

  /** Returns the file and line where the last handler was defined; null if unknown. */
  protected @Nullable String origin() {
    return null;
  }

  /** Returns the handler that was called last, without its {@link #origin}. */
  protected String step() {
    return position();
  }

  /**
   * Calls one handler, as an error handler if there is an error.
   *
   * @param step the handler; an {@link ErrorHandler} if there is an error
   * @param error the error; null if there is none
   */
  protected final void call(Middleware step, @Nullable Throwable error) {
    StepNext next = new StepNext(this);
    next.called(step, error);
    try {
      if (error == null) {
        step.handle(req, res, next);
      } else {
        res.forgetBody(error);
        ErrorResponse.setRetryAfter(error, res);
        ((ErrorHandler) step).handle(error, req, res, next);
      }
    } catch (Throwable thrown) {
      if (error != null) {
        ErrorResponse.replaced(error, thrown, res);
      }
      next.thrown(thrown);
    } finally {
      next.left();
    }
  }

  /**
   * Continues in this dispatch with an error, instead of the handler that was called last. That
   * handler may belong to this dispatch or to one inside it. Its {@code next} counts as used, and
   * the dispatches in between are skipped.
   *
   * @param error the error; only reported if that handler has already continued
   */
  protected final void divert(Throwable error) {
    StepNext last = StepNext.last(req.dispatchState());
    StepNext next = last == null ? new StepNext(this) : last;
    next.divert(this, error);
  }
}
