package dev.percolate.core;

import dev.percolate.engine.StateField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The {@code next} of one called step: the first call passes on, later ones are reported.
 *
 * <pre>
 *   HELD --run, fail, route, throw--> PASSED --what follows has returned--> RETURNED
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

  // Read only by the thread that has called the step.
  private boolean passedHere;

  /** What the thread of the step is bound to as it is called. */
  private final @Nullable CarriedContext<?> context = CarriedContext.capture();

  /** Whether the step has returned; used on the turn only, but for what is said to people. */
  private boolean left;

  StepNext(Dispatch dispatch) {
    this.dispatch = dispatch;
    this.dispatchState = dispatch.req.dispatchState();
  }

  @Override
  public void run() {
    if (!dispatchState.pass(this, dispatch, null)) {
      dispatch.req.faults().secondNext(dispatch.req);
    }
  }

  @Override
  public void fail(Throwable error) {
    divert(dispatch, error);
  }

  @Override
  public void route() {
    if (!dispatchState.pass(this, new RouteExit(dispatch), null)) {
      dispatch.req.faults().secondNext(dispatch.req);
    }
  }

  /** Passes an error on to this dispatch or to one around it, in the place of the step. */
  void divert(Dispatch to, Throwable error) {
    if (!dispatchState.pass(this, to, error)) {
      dispatch.req.late(error);
    }
  }

  /**
   * Takes what the step threw: the same as passing an error on, unless it had passed on before.
   * Then the error is reported, and ends the exchange if nobody has answered. Where another answer
   * was given in the place of the step, that its own was refused is no error to handle.
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
   * Takes the right to pass on, which the first caller gets.
   *
   * @param here whether the step that runs calls
   */
  boolean claims(boolean here) {
    boolean first = STATE.compareAndSet(this, HELD, PASSED);
    if (first) {
      passedHere = here;
    }
    return first;
  }

  /** Notes that the step has returned. */
  void left() {
    left = true;
  }

  /** Tells whether the step has returned. */
  boolean hasLeft() {
    return left;
  }

  /** Tells whether the step may still pass on. */
  boolean isHeld() {
    return state == HELD;
  }

  /** Returns the dispatch that has called the step. */
  Dispatch dispatch() {
    return dispatch;
  }

  /** Tells whether the thread of the turn is bound to what it was when the step was called. */
  boolean isBound() {
    return context == null || !left;
  }

  /** Goes on with a dispatch, bound to what the thread of the step was. */
  void advanceBound(Dispatch to, @Nullable Throwable error) {
    CarriedContext.run(context, () -> to.advance(error));
  }

  /** Notes that what follows has returned, or runs elsewhere. */
  void returned() {
    state = RETURNED;
  }

  /** Returns where the step stands, for people. */
  String position() {
    return dispatch.position();
  }

  /** Tells whether an overflow is the step's own, or came up through it from what follows. */
  private boolean isOfStep() {
    return claims(false) || (passedHere && state != RETURNED);
  }

  private boolean isRefused(Throwable error) {
    return error instanceof AnsweredBefore && dispatch.res.answer().givenUp();
  }

  /** What follows a route that is left. */
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
