package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Leads one request along a list of steps; each kind of list has a subclass.
 *
 * <p>A dispatch belongs to one request and runs on its turn only, so its fields need no lock. It
 * calls each step by {@link #call}, which is the one place where what steps throw is caught, and is
 * asked to {@link #advance} when that step has passed on, with or without an error. Step 3 of
 * docs/flow.md.
 */
public abstract class Dispatch {

  /** The request on its way. */
  protected final Request req;

  /** Its response. */
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
   * Goes on behind the step that was called last: loops over what does not match, calls what does,
   * and passes on to what lies behind the list at its end.
   *
   * @param error what the last step threw or passed on; null if it passed on without an error
   */
  protected abstract void advance(@Nullable Throwable error);

  /** Leaves the route that the last step belongs to; outside of one there is nothing to leave. */
  protected void leaveRoute() {
    advance(new IllegalStateException("next.route(): the step belongs to no route"));
  }

  /** Returns where the dispatch stands, for people: the step that was called last. */
  protected abstract String position();

  /** Returns file and line where the step that was called last was defined; null if unknown. */
  protected @Nullable String origin() {
    return null;
  }

  /** Returns which step was called last, without its {@link #origin}. */
  protected String step() {
    return position();
  }

  /**
   * Calls one step, as an error handler if there is an error.
   *
   * @param step the step; an {@link ErrorHandler} if there is an error
   * @param error what it gets; null for none
   */
  protected final void call(Middleware step, @Nullable Throwable error) {
    StepNext next = new StepNext(this);
    DispatchState state = req.dispatchState();
    state.at(next, step, error);
    try {
      if (error == null) {
        step.handle(req, res, next);
      } else {
        res.forgetBody(error);
        FinalHandler.setRetryAfter(error, res);
        ((ErrorHandler) step).handle(error, req, res, next);
      }
    } catch (Throwable thrown) {
      if (error != null) {
        FinalHandler.replaced(error, thrown, res);
      }
      state.threw(next, thrown);
    } finally {
      state.left(next);
    }
  }

  /**
   * Goes on here with an error in the place of the step that was called last, by this dispatch or
   * by one inside it: the {@code next} of that step counts as used, and the dispatches between are
   * left.
   *
   * @param error the error; if that step has passed on before, it is only reported
   */
  protected final void divert(Throwable error) {
    StepNext last = req.dispatchState().last();
    StepNext link = last == null ? new StepNext(this) : last;
    link.divert(this, error);
  }
}
