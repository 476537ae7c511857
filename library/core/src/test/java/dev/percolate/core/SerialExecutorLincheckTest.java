package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.SerialExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Several threads submit tasks to one executor: {@link Interleavings} of them. */
// Interleavings depend on the code, not on the JDK.
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
class SerialExecutorLincheckTest {

  /** An executor and its tasks, which record their runs without a lock since they never overlap. */
  private static final class Tasks {

    final SerialExecutor turn;
    private final int[] ran = new int[8];
    private int count;
    private int inside;
    private boolean overlapped;

    /** Creates tasks that run on the calling thread. */
    Tasks() {
      this(new SerialExecutor(Runnable::run, false));
    }

    Tasks(SerialExecutor turn) {
      this.turn = turn;
    }

    /** Returns a task with a number: ten times its thread, plus its own. */
    Runnable task(int number) {
      return () -> run(number);
    }

    void run(int number) {
      overlapped |= inside++ != 0;
      ran[count++] = number;
      overlapped |= --inside != 0;
    }

    void fail(int number) {
      run(number);
      throw new IllegalStateException("on purpose");
    }

    /** Checks the number of runs, the order for each thread, and that the executor is idle. */
    void check(int expected) {
      assertTrue(turn.executeIfIdle(task(29)), "the executor is not idle");
      assertFalse(turn.isCurrent());
      assertFalse(overlapped, "overlapping");
      assertEquals(expected + 1, count);
      int[] last = new int[3];
      for (int i = 0; i < count; i++) {
        assertTrue(ran[i] > last[ran[i] / 10], "out of order or run twice");
        last[ran[i] / 10] = ran[i];
      }
    }
  }

  @Test
  void tasksRunOnceOneAtATimeAndInTheOrderOfEachThread() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          Interleavings.inParallel(
              () -> {
                tasks.turn.execute(tasks.task(1));
                tasks.turn.execute(tasks.task(2));
              },
              () -> {
                tasks.turn.execute(tasks.task(11));
                tasks.turn.execute(tasks.task(12));
              });
          tasks.check(4);
        });
  }

  @Test
  void aShortTaskRunsImmediatelyOrAfterTheCurrentOne() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          Interleavings.inParallel(
              () -> {
                tasks.turn.executeHere(tasks.task(1));
                tasks.turn.executeHere(tasks.task(2));
              },
              () -> {
                tasks.turn.executeHere(tasks.task(11));
                tasks.turn.execute(tasks.task(12));
              });
          tasks.check(4);
        });
  }

  @Test
  void tasksSubmittedByATaskRunAfterIt() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          Interleavings.inParallel(
              () ->
                  tasks.turn.execute(
                      () -> {
                        tasks.turn.execute(tasks.task(2));
                        tasks.turn.executeHere(tasks.task(3));
                        tasks.run(1);
                      }),
              () ->
                  tasks.turn.executeHere(
                      () -> {
                        tasks.turn.execute(tasks.task(12));
                        tasks.run(11);
                      }));
          tasks.check(5);
        });
  }

  @Test
  void aTaskThatThrowsIsReportedAndTheNextRuns() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          try (LogLines log = new LogLines()) {
            Interleavings.inParallel(
                () -> {
                  tasks.turn.execute(() -> tasks.fail(1));
                  tasks.turn.execute(tasks.task(2));
                },
                () -> {
                  tasks.turn.executeHere(() -> tasks.fail(11));
                  tasks.turn.executeHere(tasks.task(12));
                });
            assertEquals(2, log.lines().size());
          }
          tasks.check(4);
        });
  }

  @Test
  void aTaskForAnIdleExecutorOnlyRunsIfItWasIdle() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          AtomicInteger got = new AtomicInteger();
          Interleavings.inParallel(
              () -> {
                if (tasks.turn.executeIfIdle(tasks.task(1))) {
                  got.incrementAndGet();
                }
              },
              () -> {
                if (tasks.turn.executeIfIdle(tasks.task(11))) {
                  got.incrementAndGet();
                }
                tasks.turn.execute(tasks.task(12));
              });
          tasks.check(got.get() + 1);
        });
  }

  @Test
  void isMineIsTrueOnlyInsideATask() {
    Interleavings.check(
        () -> {
          Tasks tasks = new Tasks();
          AtomicInteger own = new AtomicInteger();
          Runnable task =
              () -> {
                if (tasks.turn.isCurrent()) {
                  own.incrementAndGet();
                }
              };
          Runnable part =
              () -> {
                assertFalse(tasks.turn.isCurrent());
                tasks.turn.execute(task);
                assertFalse(tasks.turn.isCurrent());
                tasks.turn.executeHere(task);
                assertFalse(tasks.turn.isCurrent());
              };
          Interleavings.inParallel(part, part);
          tasks.check(0);
          assertEquals(4, own.get());
        });
  }

  @Test
  void aTaskAcceptedByAnExecutorThatThrowsRunsOnceOrIsRejected() {
    Interleavings.check(
        () -> {
          AtomicReference<@Nullable Runnable> taken = new AtomicReference<>();
          Tasks tasks =
              new Tasks(new SerialExecutor(task -> takeAndThrowFirst(task, taken), false));
          AtomicInteger rejected = new AtomicInteger();
          Runnable executor =
              () -> {
                Runnable task = taken.get();
                if (task != null) {
                  task.run();
                }
              };
          Interleavings.inParallel(
              () -> {
                try {
                  tasks.turn.execute(tasks.task(1));
                } catch (OutOfMemoryError starved) {
                  rejected.incrementAndGet();
                }
              },
              executor,
              executor);
          tasks.check(1 - rejected.get());
        });
  }

  private static void takeAndThrowFirst(Runnable task, AtomicReference<@Nullable Runnable> taken) {
    if (taken.compareAndSet(null, task)) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    task.run();
  }
}
