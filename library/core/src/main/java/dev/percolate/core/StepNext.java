package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.StateField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The {@code next} of a called handler. The first call passes on; later calls are reported.
 *
 * <pre>
 *   HELD --run, fail, route, throw--> PASSED --the next handler has returned--> RETURNED
 * </pre>
 */
final class StepNext implements Next, CurrentHandler {

  private static final int HELD = 0;
  private static final int PASSED = 1;
  private static final int RETURNED = 2;
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), int.class);
  private static final String IDLE = ", which returned without sending a response or calling next";

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

  /** Returns the next of the handler that was called last; null if there is none. */
  static @Nullable StepNext last(DispatchState dispatchState) {
    CurrentHandler current = dispatchState.current();
    return current instanceof WeakNext weak ? weak.get() : (StepNext) current;
  }

  @Override
  public void run() {
    if (!pass(dispatch, null)) {
      secondNext();
    }
  }

  @Override
  public void fail(Throwable error) {
    divert(dispatch, error);
  }

  @Override
  public void route() {
    if (!pass(new RouteExit(dispatch), null)) {
      secondNext();
    }
  }

  private void secondNext() {
    dispatch.req.appState().faultLog().secondNext(dispatch.req);
  }

  @Override
  public boolean fails(Throwable error) {
    return pass(dispatch, error);
  }

  @Override
  public void advance(Throwable error) {
    dispatch.advance(error);
  }

  /** Passes an error on to this dispatch or to an enclosing one, in place of the handler. */
  void divert(Dispatch to, Throwable error) {
    if (!pass(to, error)) {
      dispatch.req.late(error);
    }
  }

  /** Records that the handler is called, and informs the trace. */
  void called(Middleware step, @Nullable Throwable error) {
    dispatchState.current(this);
    RequestTrace trace = dispatchState.trace();
    if (trace != null) {
      Callbacks.run(
          DispatchState.TRACE,
          () -> trace.onStart(this, step.getClass(), dispatch.step(), dispatch.origin(), error));
    }
  }

  /**
   * Handles an error thrown by the handler. The error is passed on, unless the handler has already
   * passed on. Then it is reported, and ends the exchange if there is no response. If the handler
   * was given up, the rejection of its response is not passed on.
   */
  void thrown(Throwable error) {
    RequestTrace trace = dispatchState.trace();
    if (trace != null) {
      Callbacks.run(DispatchState.TRACE, () -> trace.onThrow(this, error));
    }
    if (error instanceof StackOverflowError && isOfStep()) {
      dispatchState.overflowed(this, error);
    } else if (isRejected(error) || !pass(dispatch, error)) {
      claims(false);
      dispatch.req.late(error);
      ErrorResponse.end(error, dispatch.res);
    }
  }

  /**
   * Records that the handler has returned. While a slow request warning is pending, its {@code
   * next} is held weakly from then on.
   */
  void left() {
    left = true;
    RequestTrace trace = dispatchState.trace();
    if (trace != null) {
      Callbacks.run(DispatchState.TRACE, () -> trace.onReturn(this));
    }
    if (dispatch.req.responseTimeout().hasNotice()
        && dispatchState.current() == this
        && state == HELD) {
      dispatchState.current(new WeakNext(new WeakReference<>(this), dispatch));
    }
  }

  /**
   * Continues with a dispatch in place of the handler: within this call if the running handler
   * calls it, otherwise after that handler has returned. Every transition between handlers goes
   * through this one method, to use few stack frames.
   *
   * @param to the dispatch
   * @param error the error to pass on; null if there is none
   * @return false if the handler has already continued; nothing is done then
   */
  private boolean pass(Dispatch to, @Nullable Throwable error) {
    SerialExecutor executor = dispatchState.executor;
    boolean here = executor.isCurrent();
    if (!claims(here)) {
      return false;
    }
    RequestTrace trace = dispatchState.trace();
    if (trace != null) {
      Callbacks.run(DispatchState.TRACE, () -> trace.onNext(this, error));
    }
    if (here && dispatchState.depth < DispatchState.NESTED) {
      dispatchState.depth++;
      try {
        if (context == null || !left) {
          to.advance(error);
        } else {
          advanceBound(to, error);
        }
      } finally {
        dispatchState.depth--;
      }
    } else {
      executor.execute(() -> advanceBound(to, error));
    }
    state = RETURNED;
    if (trace != null) {
      Callbacks.run(DispatchState.TRACE, () -> trace.onResume(this));
    }
    return true;
  }

  /**
   * Claims the right to pass on; returns true for the first caller.
   *
   * @param here whether the current handler is the caller
   */
  private boolean claims(boolean here) {
    boolean first = STATE.compareAndSet(this, HELD, PASSED);
    if (first) {
      passedHere = here;
    }
    return first;
  }

  /** Continues with a dispatch, in the context of the call of the handler. */
  private void advanceBound(Dispatch to, @Nullable Throwable error) {
    CarriedContext.run(context, () -> to.advance(error));
  }

  /** Returns true if a stack overflow occurred in the handler, or in a later one that it called. */
  private boolean isOfStep() {
    return claims(false) || (passedHere && state != RETURNED);
  }

  private boolean isRejected(Throwable error) {
    return error instanceof DuplicateResponseException && dispatch.res.answer().givenUp();
  }

  @Override
  public String position() {
    return dispatch.position();
  }

  @Override
  public String place() {
    return place(dispatch);
  }

  private static String place(Dispatch dispatch) {
    String origin = dispatch.origin();
    return origin == null ? dispatch.step() : origin + " (" + dispatch.step() + ")";
  }

  @Override
  public String waitsFor() {
    if (state != HELD) {
      return "a handler after " + place() + ", which called next";
    }
    return place() + (left ? IDLE : ", which is still running" + runningAt());
  }

  private String runningAt() {
    Thread owner = dispatchState.executor.thread();
    String where = owner == null ? null : CallSite.of(owner.getStackTrace());
    return where == null ? "" : ", " + where;
  }

  @Override
  public @Nullable WeakReference<StepNext> next() {
    return null;
  }

  /** The {@code next} of a handler that returned without using it, as long as it is reachable. */
  private record WeakNext(WeakReference<StepNext> next, Dispatch dispatch)
      implements CurrentHandler {

    /** Returns the next, or another one of the same handler if it is unreachable. */
    StepNext get() {
      StepNext reachable = next.get();
      return reachable == null ? new StepNext(dispatch) : reachable;
    }

    @Override
    public boolean fails(Throwable error) {
      return get().fails(error);
    }

    @Override
    public void advance(Throwable error) {
      dispatch.advance(error);
    }

    @Override
    public String position() {
      return dispatch.position();
    }

    @Override
    public String place() {
      return StepNext.place(dispatch);
    }

    @Override
    public String waitsFor() {
      return place() + IDLE + (next.refersTo(null) ? ResponseTimeout.LOST : "");
    }
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
