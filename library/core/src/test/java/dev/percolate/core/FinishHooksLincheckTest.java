package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.SerialExecutor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Tests {@link Interleavings} of adding hooks before, during and after the end of an exchange. */
// The code interleaves in the same way on each JDK.
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
class FinishHooksLincheckTest {

  /** The hooks of an exchange. They count their runs without a lock. */
  private static final class Hooks {

    final SerialExecutor executor = new SerialExecutor(Runnable::run, false);
    final FinishHooks hooks = new FinishHooks(executor);
    final int[] runs = new int[4];
    private int inside;
    private boolean overlapped;

    void add(int number) {
      hooks.add(() -> run(number));
    }

    void run(int number) {
      overlapped |= inside++ != 0;
      runs[number]++;
      overlapped |= --inside != 0;
    }

    /** Checks the number of runs, and that no two hooks ran at the same time. */
    void check(int... expected) {
      assertFalse(overlapped, "hooks overlapped");
      assertArrayEquals(expected, runs);
    }
  }

  @Test
  void hooksAddedWhileTheExchangeEndsRunOnceEach() {
    Interleavings.check(
        () -> {
          Hooks hooks = new Hooks();
          hooks.add(0);
          Interleavings.inParallel(
              () -> hooks.hooks.ended(null),
              () -> {
                hooks.add(1);
                hooks.add(2);
              },
              () -> hooks.add(3));
          hooks.check(1, 1, 1, 1);
        });
  }

  @Test
  void hooksOfOneThreadRunInOrder() {
    Interleavings.check(
        () -> {
          Hooks hooks = new Hooks();
          Interleavings.inParallel(
              () -> hooks.hooks.ended(null),
              () -> {
                hooks.add(0);
                hooks.hooks.add(
                    () -> {
                      assertTrue(hooks.runs[0] == 1 && hooks.runs[2] == 0);
                      hooks.run(1);
                    });
                hooks.add(2);
              });
          hooks.check(1, 1, 1, 0);
        });
  }

  @Test
  void hooksNeverRunDuringATask() {
    Interleavings.check(
        () -> {
          Hooks hooks = new Hooks();
          hooks.add(0);
          Interleavings.inParallel(
              () -> hooks.executor.execute(() -> hooks.run(1)),
              () -> hooks.hooks.ended(null),
              () -> hooks.add(2));
          hooks.check(1, 1, 1, 0);
        });
  }

  @Test
  void noHookRunsTwiceIfTheExchangeEndsTwice() {
    Interleavings.check(
        () -> {
          Hooks hooks = new Hooks();
          hooks.hooks.add(
              () -> {
                hooks.add(1);
                hooks.run(0);
              });
          Interleavings.inParallel(
              () -> hooks.hooks.ended(null),
              () -> hooks.hooks.ended(new ClientDisconnectedException(null)),
              () -> hooks.add(2));
          hooks.check(1, 1, 1, 0);
        });
  }
}
