package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RestartingTaskTest {

  private final List<Long> pauses = new ArrayList<>();
  private int runs;

  private void failFirst(Queue<? extends Throwable> failures) {
    new RestartingTask("test", () -> fail(failures), pauses::add).run();
  }

  private void fail(Queue<? extends Throwable> failures) {
    runs++;
    Throwable next = failures.poll();
    if (next instanceof Error error) {
      throw error;
    } else if (next instanceof RuntimeException exception) {
      throw exception;
    }
  }

  @Test
  void aTaskThatReturnsIsNotRunAgain() {
    failFirst(new ArrayDeque<>());
    assertEquals(1, runs);
    assertEquals(List.of(), pauses);
  }

  @DisplayName("DOS-08: a task that throws anything is run again")
  @Test
  void aTaskRunsAgainAfterAnyThrowable() {
    failFirst(
        new ArrayDeque<>(
            List.of(
                new OutOfMemoryError("no room"),
                new StackOverflowError(),
                new UnsatisfiedLinkError("too many open files"),
                new NoClassDefFoundError("gone"),
                new IllegalStateException("odd"))));
    assertEquals(6, runs);
  }

  @Test
  void pausesOfAFailingTaskGetLonger() {
    Queue<Error> failures = new ArrayDeque<>();
    for (int i = 0; i < 20; i++) {
      failures.add(new OutOfMemoryError("no room"));
    }
    failFirst(failures);
    assertEquals(TimeUnit.MILLISECONDS.toNanos(100), pauses.get(0));
    assertEquals(TimeUnit.MILLISECONDS.toNanos(200), pauses.get(1));
    assertEquals(TimeUnit.SECONDS.toNanos(10), pauses.get(19));
  }

  @Test
  void aTaskIsRestartedEvenIfLoggingFails() {
    Error unloggable =
        new Error() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new OutOfMemoryError("no room for its text");
          }
        };
    failFirst(new ArrayDeque<>(List.of(unloggable)));
    assertEquals(2, runs);
  }

  @Test
  void anInterruptBeforeAPauseDoesNotEndItAndIsLeftToTheTask() {
    Thread.currentThread().interrupt();
    long begun = System.nanoTime();
    int[] seen = new int[1];
    new RestartingTask(
            "test",
            () -> {
              if (seen[0]++ == 0) {
                throw new OutOfMemoryError("no room");
              }
            })
        .run();
    assertTrue(Thread.interrupted());
    assertTrue(System.nanoTime() - begun >= TimeUnit.MILLISECONDS.toNanos(100));
  }
}
