package dev.percolate.core;

import dev.percolate.engine.StateField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The {@code next} of a called handler. The first call passes on; later calls are reported.
 *
 * <pre>
 *   HELD --run, fail, route, throw--> PASSED --the next handler has returned--> RETURNED
 * </pre>
 */
final class StepNext implements Next {

  private static final int HELD = 0;
  private static final int PASSED = 1;
  private static final int RETURNED = 2;
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), int.class);

  private final Dispatch dispatch;
  private final DispatchState dispatchState;

  @SuppressWarnings("unused") // written by STATE
  private volatile int state;

  // Only read by the thread that has called the handler.
  private boolean passedHere;

  /** The context of the thread when the handler is called. */
  private final @Nullable CarriedContext<?> context = CarriedContext.capture();

  /** Whether the handler has returned. Used on the serial executor only, except for messages. */
  private boolean left;

  StepNext(Dispatch dispatch) {
    this.dispatch = dispatch;
    this.dispatchState = dispatch.req.dispatchState();
  }

  @Override
  public void run() {
    if (!dispatchState.pass(this, dispatch, null)) {
      dispatch.req.appState().faultLog().secondNext(dispatch.req);
    }
  }

  @Override
  public void fail(Throwable error) {
    divert(dispatch, error);
  }

  @Override
  public void route() {
    if (!dispatchState.pass(this, new RouteExit(dispatch), null)) {
      dispatch.req.appState().faultLog().secondNext(dispatch.req);
    }
  }

  /** Passes an error on to this dispatch or to an enclosing one, in place of the handler. */
  void divert(Dispatch to, Throwable error) {
    if (!dispatchState.pass(this, to, error)) {
      dispatch.req.late(error);
    }
  }

  /**
   * Handles an error thrown by the handler. The error is passed on, unless the handler has already
   * passed on. Then it is reported, and ends the exchange if there is no response. If the handler
   * was given up, the rejection of its response is not passed on.
   */
  void thrown(Throwable error) {
    if (error instanceof StackOverflowError && isOfStep()) {
      dispatchState.overflowed(dispatch, error);
    } else if (isRefused(error) || !dispatchState.pass(this, dispatch, error)) {
      claims(false);
      dispatch.req.late(error);
      FinalHandler.end(error, dispatch.res);
    }
  }

  /**
   * Claims the right to pass on; returns true for the first caller.
   *
   * @param here whether the current handler is the caller
   */
  boolean claims(boolean here) {
    boolean first = STATE.compareAndSet(this, HELD, PASSED);
    if (first) {
      passedHere = here;
    }
    return first;
  }

  /** Records that the handler has returned. */
  void left() {
    left = true;
  }

  /** Returns true if the handler has returned. */
  boolean hasLeft() {
    return left;
  }

  /** Returns true if the handler may still pass on. */
  boolean isHeld() {
    return state == HELD;
  }

  /** Returns the dispatch that called the handler. */
  Dispatch dispatch() {
    return dispatch;
  }

  /** Returns true if the current thread still has the context of the call of the handler. */
  boolean isBound() {
    return context == null || !left;
  }

  /** Continues with a dispatch, in the context of the call of the handler. */
  void advanceBound(Dispatch to, @Nullable Throwable error) {
    CarriedContext.run(context, () -> to.advance(error));
  }

  /** Records that the next handler has returned, or runs on another thread. */
  void returned() {
    state = RETURNED;
  }

  /** Returns the position of the handler, for messages. */
  String position() {
    return dispatch.position();
  }

  /** Returns true if a stack overflow occurred in the handler, or in a later one that it called. */
  private boolean isOfStep() {
    return claims(false) || (passedHere && state != RETURNED);
  }

  private boolean isRefused(Throwable error) {
    return error instanceof AnsweredBefore && dispatch.res.answer().givenUp();
  }

  /** The dispatch after leaving a route. */
  private static final class RouteExit extends Dispatch {

    private final Dispatch route;

    RouteExit(Dispatch route) {
      super(route.req, route.res);
      this.route = route;
    }

    @Override
    protected void advance(@Nullable Throwable error) {
      route.leaveRoute();
    }

    @Override
    protected String position() {
      return route.position();
    }
  }
}
