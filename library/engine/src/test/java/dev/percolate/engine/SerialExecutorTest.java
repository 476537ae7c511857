package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.junit.jupiter.api.Test;

class SerialExecutorTest {

  private final Queue<Runnable> base = new ArrayDeque<>();
  private final SerialExecutor executor = new SerialExecutor(base::add, false);
  private final List<String> order = new ArrayList<>();
  private final Noted steps = new Noted();

  @Test
  void theWaitForAThreadIsMeasured() {
    SerialExecutor.measureWaits();
    List<Integer> waits = new ArrayList<>();
    executor.execute(() -> waits.add(executor.waitedMicros()));
    long end = System.nanoTime() + 2_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    base.remove().run();
    int waited = waits.get(0);
    assertTrue(waited >= 1_900 && waited < 60_000_000, () -> waited + " us");
  }

  @Test
  void tasksFromManyThreadsNeverRunAtTheSameTimeAndKeepEachThreadsOrder() throws Exception {
    int threads = 8;
    int tasks = 2000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    SerialExecutor shared = new SerialExecutor(pool, false);
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
                        if (!alone || !inOrder || !shared.isCurrent()) {
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
  void aTaskSubmittedDuringAnotherRunsAfterItOnTheSameThread() {
    executor.execute(
        () -> {
          order.add("first");
          executor.execute(() -> order.add("second"));
          executor.executeHere(() -> order.add("third"));
          order.add("first ends");
        });
    assertEquals(1, base.size());
    base.remove().run();
    assertEquals(List.of("first", "first ends", "second", "third"), order);
    assertEquals(0, base.size());
    assertFalse(executor.isCurrent());
  }

  @Test
  void executeHereRunsImmediatelyWhenIdle() {
    executor.executeHere(
        () -> {
          assertTrue(executor.isCurrent());
          order.add("here");
        });
    assertEquals(List.of("here"), order);
    assertFalse(executor.isCurrent());
  }

  @Test
  void tasksAfterAShortTaskRunOnTheExecutor() {
    executor.executeHere(() -> executor.execute(() -> order.add("later")));
    assertEquals(List.of(), order);
    assertFalse(
        executor.isCurrent(), "the caller must not run tasks concurrently with the executor");
    base.remove().run();
    assertEquals(List.of("later"), order);
  }

  @Test
  void exceptionsOfATaskArePassedOnAndTheNextTaskRuns() {
    executor.owner(steps);
    executor.execute(
        () -> {
          executor.execute(() -> order.add("next"));
          throw new IllegalStateException("here");
        });
    base.remove().run();
    executor.executeHere(() -> order.add("after"));
    assertEquals(List.of("next", "after"), order);
    assertEquals(List.of("escaped here"), steps.calls);
  }

  @Test
  void toStringReturnsThePosition() {
    assertEquals("no step", executor.toString());
    executor.owner(steps);
    assertEquals("step of the test", executor.toString());
  }

  @Test
  void withoutAThreadATaskRunsOnACallingThreadThatMayBlock() {
    SerialExecutor starved = starved();
    starved.execute(
        () -> {
          order.add("step of mine " + starved.isCurrent());
          starved.execute(() -> order.add("next"));
        });
    starved.executeHere(() -> order.add("later"));
    assertEquals(List.of("step of mine true", "next", "later"), order);
    assertEquals(List.of(), steps.calls);
  }

  @Test
  void withoutAThreadAnExchangeThatMustNotBlockIsAborted() {
    SerialExecutor starved = starved();
    steps.mayBlock = false;
    starved.execute(() -> order.add("a step that is lost"));
    assertEquals(List.of("starved"), steps.calls);
    starved.executeHere(() -> order.add("later"));
    assertEquals(List.of("later"), order);
    assertFalse(starved.isCurrent());
  }

  @Test
  void shortTasksRunEvenIfOtherTasksAreDropped() {
    SerialExecutor starved = starved();
    steps.mayBlock = false;
    starved.executeHere(
        () -> {
          starved.execute(() -> order.add("a step that is lost"));
          starved.executeHere(() -> order.add("hook"));
          starved.execute(() -> order.add("a step that is lost, too"));
          starved.executeHere(() -> starved.executeHere(() -> order.add("further hook")));
        });
    assertEquals(List.of("hook", "further hook"), order);
    assertEquals(List.of("starved"), steps.calls);
  }

  @Test
  void beforeThereIsARequestAMissingThreadIsReportedToTheEngine() {
    AtomicInteger asked = new AtomicInteger();
    SerialExecutor starved =
        new SerialExecutor(
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
  void aTaskRunsOnceEvenIfItsExecutorThrows() {
    Queue<Runnable> queue = new ArrayDeque<>();
    SerialExecutor rejected =
        new SerialExecutor(
            task -> {
              queue.add(task);
              throw new OutOfMemoryError("unable to create native thread");
            },
            false);
    rejected.owner(steps);
    rejected.execute(() -> order.add("once"));
    queue.forEach(Runnable::run);
    assertEquals(List.of("once"), order);
  }

  /** Returns a serial executor whose base executor has no threads left. */
  private SerialExecutor starved() {
    SerialExecutor starved =
        new SerialExecutor(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            false);
    starved.owner(steps);
    return starved;
  }

  /** Records the calls of the serial executor. */
  private static final class Noted implements SerialExecutor.Owner {

    private final List<String> calls = new ArrayList<>();
    private boolean mayBlock = true;

    @Override
    public void resume() {}

    @Override
    public void escaped(Throwable thrown) {
      calls.add("escaped " + thrown.getMessage());
      throw new IllegalStateException("escaped from that, too");
    }

    @Override
    public boolean mayBlock() {
      return mayBlock;
    }

    @Override
    public void starved(Throwable cause) {
      calls.add("starved");
    }

    @Override
    public String toString() {
      return "step of the test";
    }
  }
}
