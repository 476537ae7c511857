package dev.percolate.testkit;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of a checked middleware. Passed to the middleware as its {@code next}. */
final class LintVisit implements Next {

  private static final Key<Room> ROOM = Key.of("dev.percolate.testkit.lint", Room.class);

  private final String name;
  private final Response res;
  private final Next next;
  private final Consumer<String> violations;
  private final Room room;
  private final Thread thread = Thread.currentThread();
  private final AtomicInteger passed = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private volatile boolean running = true;
  private volatile boolean inside;
  private volatile boolean answered;

  /** Detects handlers of one request that run at the same time. */
  private static final class Room {

    private @Nullable Thread owner;
    private int depth;

    synchronized boolean enter() {
      boolean alone = depth == 0 || owner == Thread.currentThread();
      owner = Thread.currentThread();
      depth++;
      return alone;
    }

    synchronized void leave() {
      depth--;
    }
  }

  /** The call of the middleware. */
  @FunctionalInterface
  interface Step {

    /** Calls the middleware. */
    void run() throws Exception;
  }

  LintVisit(Middleware step, Request req, Response res, Next next, Consumer<String> violations) {
    this.name = step.getClass().getSimpleName() + " for " + req.method() + " " + req.originalUrl();
    this.res = res;
    this.next = next;
    this.violations = violations;
    Room known = req.attrOrNull(ROOM);
    this.room = known == null ? new Room() : known;
    req.attr(ROOM, room);
    if (!res.headersSent()) {
      res.onHeaders(this::answering);
    }
    res.onFinish(finished::incrementAndGet);
  }

  /** Calls the middleware and checks it. */
  void play(Step step) throws Exception {
    if (!room.enter()) {
      violations.accept(name + ": ran at the same time as another handler of the request");
    }
    try {
      step.run();
    } catch (IllegalStateException e) {
      if (res.finished()) {
        violations.accept(name + ": wrote after the end of the response: " + e);
      }
      throw e;
    } finally {
      running = false;
      room.leave();
    }
  }

  boolean isOver() {
    return finished.get() > 0;
  }

  void checkOver() {
    int times = finished.get();
    if (times == 0) {
      violations.accept(
          name
              + ": the exchange never ended; the middleware "
              + (passed.get() > 0 ? "passed it on" : "neither responded nor passed it on"));
    } else if (times > 1) {
      violations.accept(name + ": an onFinish hook ran " + times + " times");
    }
  }

  @Override
  public void run() {
    pass(true, next);
  }

  @Override
  public void fail(Throwable error) {
    pass(false, () -> next.fail(error));
  }

  @Override
  public void route() {
    pass(true, next::route);
  }

  private void pass(boolean asUnanswered, Runnable pass) {
    if (passed.incrementAndGet() > 1) {
      violations.accept(name + ": passed the request on twice");
    } else if (answered && asUnanswered) {
      violations.accept(name + ": responded and passed the request on");
    }
    if (running && thread == Thread.currentThread()) {
      inside = true;
      try {
        pass.run();
      } finally {
        inside = false;
      }
    } else {
      pass.run();
    }
  }

  /** Records a response, on the responding thread: of this middleware, or of a later one. */
  private void answering() {
    if (passed.get() == 0) {
      answered = true;
    } else if (running && !inside && thread == Thread.currentThread()) {
      violations.accept(name + ": responded after it had passed the request on");
    }
  }
}
