package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.http.LogText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of the processing of one request: the handler that was called last, the nesting of
 * handlers, a stack overflow, and the response timeout. Used only on the executor of the exchange,
 * except for messages and timeout checks.
 */
final class DispatchState extends AnswerWatch.Entry implements Turn.Steps, Watched {

  /**
   * The maximum nesting of handlers. After that, the rest runs when these handlers have returned.
   */
  private static final int NESTED = 200;

  /** The time between checks whether a {@code next} is still reachable. */
  private static final long NEXT_LOOK = TimeUnit.SECONDS.toNanos(1);

  private static final String LOST = "; its next is unreachable";

  private final Request req;
  private final Turn turn;
  private int depth;
  private @Nullable StepNext last;
  private @Nullable Dispatch overflowed;
  private @Nullable Throwable overflow;
  private @Nullable RequestTrace trace;

  /**
   * In development, the {@code next} of a handler that returned without using it, as long as it is
   * reachable.
   */
  private volatile @Nullable HeldNext held;

  /** When the response timeout started, and its length; 0 for no timeout. */
  private volatile long since;

  private volatile long limit;

  /** The time after which developers are notified; 0 for never, or if they were notified. */
  private volatile long notice;

  /**
   * The {@code next} of the first notice, until the request continues or the next is unreachable.
   */
  private volatile @Nullable HeldNext noticed;

  /** The {@code next} of a handler, held weakly, and its dispatch. */
  private record HeldNext(WeakReference<StepNext> next, Dispatch dispatch) {

    boolean isLost() {
      return next.refersTo(null);
    }
  }

  DispatchState(Request req) {
    this.req = req;
    this.turn = req.exchange().turn();
  }

  /** Starts the response timeout and, in development, the hang notice. */
  void watch() {
    Duration time = req.exchange().answerTimeout();
    Settings settings = req.appState().settings();
    if (settings.isDevelopment()) {
      notice = Objects.requireNonNull(settings.get(Settings.HANG_NOTICE)).toNanos();
    } else if (time.isZero()) {
      return;
    }
    limit = time.toNanos();
    since = System.nanoTime();
    watch(since);
  }

  /** Sets the response timeout, starting now; zero for no timeout. */
  void answerTimeout(Duration time) {
    notice = 0;
    noticed = null;
    limit = time.toNanos();
    since = System.nanoTime();
    req.appState().answerWatch().remove(this);
    watch(since);
  }

  /** Resumes the timeout after a response that could not be created. */
  @Override
  public void watchAgain() {
    watch(System.nanoTime());
  }

  /** Ends the timeout: a response has started, or the client has disconnected. */
  @Override
  public void answered() {
    req.appState().answerWatch().remove(this);
  }

  private void watch(long now) {
    long next = notice == 0 ? limit : limit == 0 ? notice : Math.min(notice, limit);
    if (noticed != null) {
      long left = next == 0 ? NEXT_LOOK : Math.min(NEXT_LOOK, since + next - now);
      req.appState().answerWatch().add(this, now, Math.max(1, left));
    } else if (next > 0) {
      req.appState().answerWatch().add(this, now, Math.max(1, since + next - now));
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
      req.appState().faultLog().hangs(waiting());
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
      noticed = null; // the request has continued
    } else if (left.isLost()) {
      noticed = null;
      req.appState().faultLog().hangs(head() + " waits forever for " + place(left.dispatch) + LOST);
    }
  }

  /** Stores the {@code next} of the handler that is called now. */
  void at(StepNext link) {
    last = link;
    held = null;
  }

  /** Stores the {@code next} of the handler that is called now, and informs the trace. */
  void at(StepNext link, Middleware step, @Nullable Throwable error) {
    at(link);
    RequestTrace seen = trace;
    if (seen != null) {
      Dispatch dispatch = link.dispatch();
      seen.begins(link, step.getClass(), dispatch.step(), dispatch.origin(), error);
    }
  }

  /** Sets the trace that is informed of all handlers from the next one on. */
  void trace(@Nullable RequestTrace trace) {
    this.trace = trace == null ? null : new GuardedTrace(trace);
  }

  @Nullable RequestTrace trace() {
    return trace;
  }

  /** Handles an exception that a handler threw. */
  void threw(StepNext link, Throwable thrown) {
    RequestTrace seen = trace;
    if (seen != null) {
      seen.threw(link, thrown);
    }
    link.thrown(thrown);
  }

  /**
   * Called when a handler has returned. In development, its {@code next} is from then on held
   * weakly.
   */
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

  /** Returns the {@code next} of the handler that was called last. */
  @Nullable StepNext last() {
    HeldNext left = held;
    if (left == null) {
      return last;
    }
    StepNext link = left.next.get();
    return link == null ? new StepNext(left.dispatch) : link;
  }

  /** Passes on an error as the {@code next} of the handler that was called last. */
  void failLast(Throwable error) {
    StepNext link = last();
    if (link != null) {
      link.fail(error);
    }
  }

  /**
   * Passes on an error as the {@code next} of the handler that holds the request.
   *
   * @return false if no handler holds it; nothing is done then
   */
  boolean fails(Throwable error) {
    StepNext link = last();
    return link != null && pass(link, link.dispatch(), error);
  }

  /**
   * Continues with a dispatch instead of the handler that holds the request: within this call if
   * the running handler calls it, otherwise after that handler has returned. Every transition
   * between handlers goes through this one method, to use few stack frames.
   *
   * @param link the {@code next} of the handler
   * @param to the dispatch
   * @param error the error to pass on; null if there is none
   * @return false if the handler has already continued; nothing is done then
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
   * Stores a stack overflow, to continue with it after the stack has unwound. Uses almost no stack
   * itself. If an overflow causes further ones, the first counts.
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

  /**
   * Handles an exception that a task threw outside of a handler. No other code would send a
   * response.
   */
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
    req.appState().faultLog().starved(cause, req);
    exchange.abort();
  }

  @Override
  public String toString() {
    HeldNext left = held;
    StepNext link = last;
    return left != null ? left.dispatch.position() : link == null ? "no step" : link.position();
  }

  /** Describes what the request waits for, for messages. */
  String waiting() {
    HeldNext left = held;
    StepNext link = last;
    String head = head() + " waits for ";
    if (left != null) {
      return head
          + place(left.dispatch)
          + ", which returned without sending a response or calling next"
          + (left.isLost() ? LOST : "");
    }
    if (link == null) {
      return head + "its first handler";
    }
    String place = place(link.dispatch());
    if (!link.isHeld()) {
      return head + "a handler after " + place + ", which called next";
    }
    return head
        + place
        + (link.hasLeft()
            ? ", which returned without sending a response or calling next"
            : ", which is still running" + runningAt());
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
