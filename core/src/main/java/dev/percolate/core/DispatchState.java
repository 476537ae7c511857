package dev.percolate.core;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Where the way of one request stands: the step that was called last, how deep steps nest, and what
 * ran out of stack. Used on its turn alone, but for what it says to people.
 */
final class DispatchState implements Turn.Steps {

  /** How deep steps may nest before the rest waits until they have returned. */
  private static final int NESTED = 200;

  private final Request req;
  private final Turn turn;
  private int depth;
  private @Nullable StepNext last;
  private @Nullable Dispatch overflowed;
  private @Nullable Throwable overflow;

  DispatchState(Request req) {
    this.req = req;
    this.turn = req.exchange().turn();
  }

  /** Notes the {@code next} of the step that is called now. */
  void at(StepNext link) {
    last = link;
  }

  /** Returns the {@code next} of the step that was called last. */
  @Nullable StepNext last() {
    return last;
  }

  /** Passes an error on in the place of the step that was called last. */
  void failLast(Throwable error) {
    StepNext link = last;
    if (link != null) {
      link.fail(error);
    }
  }

  /**
   * Goes on with a dispatch in the place of a step that holds the request: in this call if it comes
   * from the step that runs, else when that has returned. Everything from one step to the next
   * passes here, so it is one method, of few frames.
   *
   * @param link the {@code next} of the step
   * @param to the dispatch
   * @param error what goes on; null for none
   * @return false if the step has passed on before; nothing is done then
   */
  boolean pass(StepNext link, Dispatch to, @Nullable Throwable error) {
    boolean here = turn.isMine();
    if (!link.claims(here)) {
      return false;
    }
    if (here && depth < NESTED) {
      depth++;
      try {
        if (link.isBound()) {
          to.advance(error);
        } else {
          link.advanceBound(to, error);
        }
      } finally {
        depth--;
      }
    } else {
      turn.execute(() -> link.advanceBound(to, error));
    }
    link.returned();
    return true;
  }

  /**
   * Notes an overflow of the stack, to go on with it when the stack is free again. It uses next to
   * no stack itself; of several that one overflow causes on its way, the first counts.
   */
  void overflowed(Dispatch dispatch, Throwable error) {
    if (overflow == null) {
      overflowed = dispatch;
      overflow = error;
    }
  }

  @Override
  public void resume() {
    while (overflow != null && overflowed != null) {
      Dispatch dispatch = overflowed;
      Throwable error = overflow;
      overflow = null;
      dispatch.advance(error);
    }
  }

  /** Takes what a task threw outside of any step: nobody else would answer. */
  @Override
  public void escaped(Throwable thrown) {
    req.late(thrown);
    FinalHandler.end(thrown, req.response());
  }

  @Override
  public boolean mayBlock() {
    return req.exchange().mayBlock();
  }

  @Override
  public void starved(Throwable cause) {
    Exchange exchange = req.exchange();
    req.faults().starved(cause, req);
    exchange.abort();
  }

  @Override
  public String toString() {
    StepNext link = last;
    return link == null ? "no step" : link.position();
  }
}
