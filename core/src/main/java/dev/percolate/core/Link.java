package dev.percolate.core;

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
final class Link implements Next {

  private static final int HELD = 0;
  private static final int PASSED = 1;
  private static final int RETURNED = 2;
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), int.class);

  private final Walk walk;

  @SuppressWarnings("unused") // written by STATE
  private volatile int state;

  // Read only by the thread that has called the step.
  private boolean passedHere;

  Link(Walk walk) {
    this.walk = walk;
  }

  @Override
  public void run() {
    pass(null);
  }

  @Override
  public void fail(Throwable error) {
    pass(error);
  }

  @Override
  public void route() {
    pass(new LeaveRoute());
  }

  /**
   * Takes what the step threw: the same as passing an error on, unless it had passed on before.
   * Then the error is reported, and ends the exchange if nobody has answered. Where another answer
   * was given in the place of the step, that its own was refused is no error to handle.
   */
  void thrown(Throwable error) {
    boolean fresh = STATE.compareAndSet(this, HELD, PASSED);
    if (error instanceof StackOverflowError && (fresh || (passedHere && state != RETURNED))) {
      // Either the step's own, or one that came up through it from what follows.
      walk.req.turn().overflowed(walk, error);
    } else if (fresh && !isRefused(error)) {
      walk.req.turn().proceed(walk, error);
    } else {
      walk.req.faults().late(error, walk.req);
      FinalHandler.end(error, walk.res);
    }
  }

  private boolean isRefused(Throwable error) {
    return error instanceof AnsweredBefore && walk.res.answer().givenUp();
  }

  /** Passes an error on to a walk around this one, in the place of the step. */
  void divert(Walk outer, Throwable error) {
    pass(outer, error);
  }

  /** Says where the step stands, for people. */
  String position() {
    return walk.position();
  }

  private void pass(@Nullable Throwable signal) {
    pass(walk, signal);
  }

  private void pass(Walk to, @Nullable Throwable signal) {
    if (STATE.compareAndSet(this, HELD, PASSED)) {
      passedHere = to.req.turn().isMine();
      to.req.turn().proceed(to, signal);
      state = RETURNED;
    } else if (signal == null || signal instanceof LeaveRoute) {
      walk.req.faults().secondNext(walk.req);
    } else {
      walk.req.faults().late(signal, walk.req);
    }
  }
}
