package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.LogText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the way of one request stands: the step that was called last, how deep steps nest, what ran
 * out of stack, and how long the answer may take. Used on its turn alone, but for what it says to
 * people and what looks at the time.
 */
final class DispatchState extends AnswerWatch.Entry implements Turn.Steps, Watched {

  /** How deep steps may nest before the rest waits until they have returned. */
  private static final int NESTED = 200;

  /** The time between checks whether a {@code next} is still reachable. */
  private static final long NEXT_LOOK = TimeUnit.SECONDS.toNanos(1);

  private static final String LOST = "; nothing holds its next any more";

  private final Request req;
  private final Turn turn;
  private int depth;
  private @Nullable StepNext last;
  private @Nullable Dispatch overflowed;
  private @Nullable Throwable overflow;
  private @Nullable RequestTrace trace;

  /** In development, a step that has returned and holds its next, as long as anybody holds that. */
  private volatile @Nullable HeldNext held;

  /** From when on the time of the answer counts, and how long it is; 0 for no limit. */
  private volatile long since;

  private volatile long limit;

  /** After which time developers are notified; 0 for never, or not again. */
  private volatile long notice;

  /** The next of the first notice, until the request moves on or the next is unreachable. */
  private volatile @Nullable HeldNext noticed;

  /** The next of a step, which somebody may or may not hold, and the dispatch that it leads to. */
  private record HeldNext(WeakReference<StepNext> next, Dispatch dispatch) {

    boolean isLost() {
      return next.refersTo(null);
    }
  }

  DispatchState(Request req) {
    this.req = req;
    this.turn = req.exchange().turn();
  }

  /**
   * Begins to watch how long the answer takes, if anybody wants to know.
   *
   * @param development whether developers do
   */
  void watch(boolean development) {
    Duration time = req.exchange().answerTimeout();
    if (development) {
      notice = req.faults().hangNotice().toNanos();
    } else if (time.isZero()) {
      return;
    }
    limit = time.toNanos();
    since = System.nanoTime();
    watch(since);
  }

  /** Chooses how long the answer may take from now on; zero for no limit. */
  void answerTimeout(Duration time) {
    notice = 0;
    noticed = null;
    limit = time.toNanos();
    since = System.nanoTime();
    req.faults().watch().remove(this);
    watch(since);
  }

  /** Watches on, after an answer that could not be made. */
  @Override
  public void watchAgain() {
    watch(System.nanoTime());
  }

  /** Ends the watch: somebody answers, or nobody is there to be answered. */
  @Override
  public void answered() {
    req.faults().watch().remove(this);
  }

  private void watch(long now) {
    long next = notice == 0 ? limit : limit == 0 ? notice : Math.min(notice, limit);
    if (noticed != null) {
      long left = next == 0 ? NEXT_LOOK : Math.min(NEXT_LOOK, since + next - now);
      req.faults().watch().add(this, now, Math.max(1, left));
    } else if (next > 0) {
      req.faults().watch().add(this, now, Math.max(1, since + next - now));
    } else {
      answered();
    }
  }

  @Override
  void look(long now) {
    if (req.response().answer().taken() || req.response().isOver()) {
      answered();
      return;
    }
    long read = req.bodyReadAt(now, since);
    if (read - since > 0) {
      since = read;
    } else if (limit > 0 && now - since >= limit) {
      answered();
      req.expire(Duration.ofNanos(limit));
      return;
    } else if (notice > 0 && now - since >= notice) {
      notice = 0;
      req.faults().hangs(waiting());
      HeldNext left = held;
      noticed = left != null && !left.isLost() ? left : null;
    }
    lookWhetherLost();
    watch(now);
  }

  /**
   * Logs a second notice once {@code next} is unreachable, so that the request cannot continue.
   * Does not start the garbage collector.
   */
  private void lookWhetherLost() {
    HeldNext left = noticed;
    if (left == null) {
      return;
    }
    if (!left.equals(held)) {
      noticed = null; // the request has moved on
    } else if (left.isLost()) {
      noticed = null;
      req.faults().hangs(head() + " waits in vain for " + place(left.dispatch) + LOST);
    }
  }

  /** Notes the {@code next} of the step that is called now. */
  void at(StepNext link) {
    last = link;
    held = null;
  }

  /** Notes the {@code next} of the step that is called now, for who traces the request, too. */
  void at(StepNext link, Middleware step, @Nullable Throwable error) {
    at(link);
    RequestTrace seen = trace;
    if (seen != null) {
      Dispatch dispatch = link.dispatch();
      seen.begins(link, step.getClass(), dispatch.step(), dispatch.origin(), error);
    }
  }

  /** Has somebody see the steps from the next one on. */
  void trace(@Nullable RequestTrace trace) {
    this.trace = trace == null ? null : new GuardedTrace(trace);
  }

  @Nullable RequestTrace trace() {
    return trace;
  }

  /** Takes what a step threw. */
  void threw(StepNext link, Throwable thrown) {
    RequestTrace seen = trace;
    if (seen != null) {
      seen.threw(link, thrown);
    }
    link.thrown(thrown);
  }

  /** Notes that a step has returned. In development only it, and who has it, holds its next. */
  void left(StepNext link) {
    link.left();
    RequestTrace seen = trace;
    if (seen != null) {
      seen.returned(link);
    }
    if (notice > 0 && last == link && link.isHeld()) {
      held = new HeldNext(new WeakReference<>(link), link.dispatch());
      last = null;
    }
  }

  /** Returns the {@code next} of the step that was called last. */
  @Nullable StepNext last() {
    HeldNext left = held;
    if (left == null) {
      return last;
    }
    StepNext link = left.next.get();
    return link == null ? new StepNext(left.dispatch) : link;
  }

  /** Passes an error on in the place of the step that was called last. */
  void failLast(Throwable error) {
    StepNext link = last();
    if (link != null) {
      link.fail(error);
    }
  }

  /**
   * Passes an error on as {@code next} of the step that holds the request.
   *
   * @return false if no step does; nothing is done then
   */
  boolean fails(Throwable error) {
    StepNext link = last();
    return link != null && pass(link, link.dispatch(), error);
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
    RequestTrace seen = trace;
    if (seen != null) {
      seen.passes(link, error);
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
    if (seen != null) {
      seen.resumes(link);
    }
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
    HeldNext left = held;
    StepNext link = last;
    return left != null ? left.dispatch.position() : link == null ? "no step" : link.position();
  }

  /** Returns what the request waits for, for people. */
  String waiting() {
    HeldNext left = held;
    StepNext link = last;
    String head = head() + " waits for ";
    if (left != null) {
      return head
          + place(left.dispatch)
          + ", which has returned without answering or passing on"
          + (left.isLost() ? LOST : "");
    }
    if (link == null) {
      return head + "its first step";
    }
    String place = place(link.dispatch());
    if (!link.isHeld()) {
      return head + "what follows " + place + ", which has passed on";
    }
    return head
        + place
        + (link.hasLeft()
            ? ", which has returned without answering or passing on"
            : ", which still runs" + runningAt());
  }

  private String head() {
    return req.method() + " " + LogText.escape(req.originalUrl());
  }

  private static String place(Dispatch dispatch) {
    String origin = dispatch.origin();
    return origin == null ? dispatch.step() : origin + " (" + dispatch.step() + ")";
  }

  private String runningAt() {
    Thread owner = turn.owner();
    String where = owner == null ? null : CallSite.of(owner.getStackTrace());
    return where == null ? "" : ", " + where;
  }
}
