package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TurnTest {

  private final Queue<Runnable> base = new ArrayDeque<>();
  private final Turn turn = new Turn(base::add, false);
  private final List<String> order = new ArrayList<>();

  @Test
  void tasksFromManyThreadsNeverRunAtTheSameTimeAndKeepEachThreadsOrder() throws Exception {
    int threads = 8;
    int tasks = 2000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Turn shared = new Turn(pool, false);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    int[] last = new int[threads];
    CountDownLatch done = new CountDownLatch(threads * tasks);
    for (int t = 0; t < threads; t++) {
      int thread = t;
      new Thread(
              () -> {
                for (int i = 1; i <= tasks; i++) {
                  int number = i;
                  shared.execute(
                      () -> {
                        boolean alone = inside.incrementAndGet() == 1;
                        boolean inOrder = last[thread]++ == number - 1;
                        if (!alone || !inOrder || !shared.isMine()) {
                          wrong.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        done.countDown();
                      });
                }
              })
          .start();
    }
    assertTrue(done.await(30, TimeUnit.SECONDS));
    pool.shutdown();
    assertEquals(0, wrong.get());
  }

  @Test
  void aTaskGivenDuringAnotherRunsBehindItOnTheSameThread() {
    turn.execute(
        () -> {
          order.add("first");
          turn.execute(() -> order.add("second"));
          turn.executeHere(() -> order.add("third"));
          order.add("first ends");
        });
    assertEquals(1, base.size());
    base.remove().run();
    assertEquals(List.of("first", "first ends", "second", "third"), order);
    assertEquals(0, base.size());
    assertFalse(turn.isMine());
  }

  @Test
  void executeHereRunsAtOnceWhenNoTaskRuns() {
    turn.executeHere(
        () -> {
          assertTrue(turn.isMine());
          order.add("here");
        });
    assertEquals(List.of("here"), order);
    assertFalse(turn.isMine());
  }

  @Test
  void whatWaitedForAShortTaskRunsOnTheExecutorAndTheTurnIsNoLongerTheCallers() {
    turn.executeHere(() -> turn.execute(() -> order.add("later")));
    assertEquals(List.of(), order);
    assertFalse(turn.isMine(), "the caller must not run steps beside the executor");
    base.remove().run();
    assertEquals(List.of("later"), order);
  }

  @Test
  void aFailedTaskIsReportedAndDoesNotKeepTheNextFromRunning() {
    try (LogLines log = new LogLines()) {
      turn.execute(
          () -> {
            turn.execute(() -> order.add("next"));
            throw new IllegalStateException("escaped");
          });
      base.remove().run();
      turn.executeHere(() -> order.add("after"));
      assertEquals(List.of("next", "after"), order);
      assertEquals(List.of("SEVERE an error escaped from a task of an exchange"), log.lines());
    }
  }

  @Test
  void aWalkGoesOnInTheSameCallUpToABoundThenWhenTheStepsHaveReturned() {
    int steps = 1000;
    Deep walk = new Deep(steps);
    turn.execute(() -> turn.proceed(walk, null));
    base.remove().run();
    assertEquals(steps, walk.count);
    assertEquals(201, walk.deepest, "the task itself and what nests in it");
  }

  @Test
  void aWalkFromAForeignThreadGoesOnByTheExecutor() throws Exception {
    Deep walk = new Deep(1);
    Thread foreign = new Thread(() -> turn.proceed(walk, null));
    foreign.start();
    foreign.join();
    assertEquals(0, walk.count);
    base.remove().run();
    assertEquals(1, walk.count);
    assertSame(Thread.currentThread(), walk.ranOn);
  }

  @Test
  void aTurnSaysWhereTheExchangeStands() {
    assertEquals("no step", turn.toString());
    turn.at(new Link(new Deep(1)));
    assertEquals("step of the test", turn.toString());
  }

  @Test
  void withoutAThreadATaskRunsOnTheCallingOneWhereThatMayBlock() {
    FakeExchange exchange = starvedExchange();
    exchange.turn.execute(
        () -> {
          order.add("step of mine " + exchange.turn.isMine());
          exchange.turn.execute(() -> order.add("next"));
        });
    exchange.turn.executeHere(() -> order.add("later"));
    assertEquals(List.of("step of mine true", "next", "later"), order);
    assertEquals(List.of(), exchange.calls);
  }

  @Test
  void withoutAThreadAndWhereNoneMayBlockTheExchangeIsAbortedAndTheTurnGoesOn() {
    FakeExchange exchange = starvedExchange();
    exchange.mayBlock = false;
    try (LogLines log = new LogLines()) {
      exchange.turn.execute(() -> order.add("a step that is lost"));
      assertEquals(1, log.lines().size(), log.lines()::toString);
    }
    assertEquals(List.of("abort"), exchange.calls);
    exchange.turn.executeHere(() -> order.add("later"));
    assertEquals(List.of("later"), order);
    assertFalse(exchange.turn.isMine());
  }

  @Test
  void whatNeedsNoThreadIsDoneThoughTheStepsAroundItAreLost() {
    FakeExchange exchange = starvedExchange();
    exchange.mayBlock = false;
    Turn starved = exchange.turn;
    try (LogLines log = new LogLines()) {
      starved.executeHere(
          () -> {
            starved.execute(() -> order.add("a step that is lost"));
            starved.executeHere(() -> order.add("hook"));
            starved.execute(() -> order.add("a step that is lost, too"));
            starved.executeHere(() -> starved.executeHere(() -> order.add("further hook")));
          });
      assertEquals(1, log.lines().size(), log.lines()::toString);
    }
    assertEquals(List.of("hook", "further hook"), order);
    assertEquals(List.of("abort"), exchange.calls);
  }

  @Test
  void beforeThereIsARequestTheEngineLearnsThatThereIsNoThreadAndMayGoOn() {
    AtomicInteger asked = new AtomicInteger();
    Turn starved =
        new Turn(
            task -> {
              if (asked.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              task.run();
            },
            false);
    assertThrows(OutOfMemoryError.class, () -> starved.execute(() -> order.add("lost")));
    starved.execute(() -> order.add("later"));
    assertEquals(List.of("later"), order);
  }

  @Test
  void aTaskThatTheExecutorTookAlthoughItThrewRunsOnce() {
    Queue<Runnable> queue = new ArrayDeque<>();
    FakeExchange exchange = new FakeExchange();
    exchange.turn =
        new Turn(
            task -> {
              queue.add(task);
              throw new OutOfMemoryError("unable to create native thread");
            },
            false);
    assertEquals("GET", exchange.request().method());
    exchange.turn.execute(() -> order.add("once"));
    queue.forEach(Runnable::run);
    assertEquals(List.of("once"), order);
  }

  /** Gives an exchange whose request has come this far, and gets no thread any more. */
  private static FakeExchange starvedExchange() {
    FakeExchange exchange = new FakeExchange();
    exchange.turn =
        new Turn(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            false);
    assertEquals("GET", exchange.request().method());
    return exchange;
  }

  private final class Deep extends Walk {

    private final int steps;
    private int count;
    private int depth;
    private int deepest;
    private @Nullable Thread ranOn;

    Deep(int steps) {
      this(steps, new FakeExchange().request());
    }

    private Deep(int steps, Request req) {
      super(req, req.response());
      this.steps = steps;
    }

    @Override
    protected void advance(@Nullable Throwable error) {
      ranOn = Thread.currentThread();
      depth++;
      deepest = Math.max(deepest, depth);
      if (++count < steps) {
        turn.proceed(this, null);
      }
      depth--;
    }

    @Override
    protected String position() {
      return "step of the test";
    }
  }
}
