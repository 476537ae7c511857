package dev.percolate.testkit;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One call of a watched step: the {@code next} it gets, and what it does with it. */
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

  /** Where the steps of one request are, to see whether they are alone. */
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

  /** What the step does. */
  @FunctionalInterface
  interface Step {

    /** Runs the step. */
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

  /** Runs the step, watched. */
  void play(Step step) throws Exception {
    if (!room.enter()) {
      violations.accept(name + ": runs beside another step of the same request");
    }
    try {
      step.run();
    } catch (IllegalStateException e) {
      if (res.finished()) {
        violations.accept(name + ": wrote or answered after the end of the answer: " + e);
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
              + ": the exchange never ended; the step has "
              + (passed.get() > 0 ? "passed on" : "neither answered nor passed on"));
    } else if (times > 1) {
      violations.accept(name + ": a hook of onFinish ran " + times + " times");
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
      violations.accept(name + ": called next twice");
    } else if (answered && asUnanswered) {
      violations.accept(name + ": answered and passed on");
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

  /** Notes on the thread that answers that it does: the step itself, or one that follows it. */
  private void answering() {
    if (passed.get() == 0) {
      answered = true;
    } else if (running && !inside && thread == Thread.currentThread()) {
      violations.accept(name + ": answered after it had passed on");
    }
  }
}
