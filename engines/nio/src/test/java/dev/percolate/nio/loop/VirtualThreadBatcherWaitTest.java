package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that waits for those that it has started. */
@Timeout(20)
final class VirtualThreadBatcherWaitTest {

  private static final int MANY = 10;

  private final Queue<Runnable> endOfTurn = new ArrayDeque<>();
  private final AtomicInteger started = new AtomicInteger();

  private VirtualThreadBatcher starter(CountDownLatch let) {
    return new VirtualThreadBatcher(
        () -> true,
        endOfTurn::add,
        task -> {
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      let.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    task.run();
                  });
          thread.setDaemon(true);
          thread.start();
        });
  }

  private void turn(VirtualThreadBatcher batcher, int tasks) {
    for (int i = 0; i < tasks; i++) {
      batcher.execute(started::incrementAndGet);
    }
    for (Runnable task = endOfTurn.poll(); task != null; task = endOfTurn.poll()) {
      task.run();
    }
    batcher.awaitStarted();
  }

  @Test
  void itGoesOnWhenTheyHaveTheirThreads() throws Exception {
    VirtualThreadBatcher batcher = starter(new CountDownLatch(0));
    turn(batcher, MANY);
    turn(batcher, MANY);
    while (started.get() < 2 * MANY) {
      Thread.onSpinWait();
    }
    assertEquals(2 * MANY, started.get());
  }

  @Test
  void itGoesOnThoughNobodyEverRuns() {
    VirtualThreadBatcher batcher = starter(new CountDownLatch(1));
    for (int i = 0; i < 3; i++) {
      turn(batcher, MANY);
    }
    assertEquals(0, started.get());
  }

  @Test
  void whoeverIsLateWakesNobodyWhoDoesNotWaitForHim() throws Exception {
    CountDownLatch let = new CountDownLatch(1);
    VirtualThreadBatcher batcher = starter(let);
    turn(batcher, MANY);
    let.countDown();
    while (started.get() < MANY) {
      Thread.onSpinWait();
    }
    turn(batcher, 1);
    turn(batcher, MANY);
    while (started.get() < 2 * MANY + 1) {
      Thread.onSpinWait();
    }
    assertTrue(endOfTurn.isEmpty());
  }

  @Test
  void manyLeaveToItWhatTheyWantButTheFirstAndFewDoNot() {
    List<Boolean> seen = new ArrayList<>();
    VirtualThreadBatcher batcher =
        new VirtualThreadBatcher(() -> true, endOfTurn::add, Runnable::run);
    turn(batcher, 0);
    for (int tasks : new int[] {3, MANY, 3, MANY}) {
      for (int i = 0; i < tasks; i++) {
        batcher.execute(() -> seen.add(batcher.gathers()));
      }
      turn(batcher, 0);
      assertFalse(batcher.gathers(), "after the tasks of a turn");
    }
    List<Boolean> expected = new ArrayList<>(Collections.nCopies(2 * MANY + 6, false));
    Collections.fill(expected.subList(4, 3 + MANY), true);
    Collections.fill(expected.subList(7 + MANY, 6 + 2 * MANY), true);
    assertEquals(expected, seen);
  }

  @Test
  void itWaitsForNobodyWhoCannotBeStarted() {
    VirtualThreadBatcher batcher =
        new VirtualThreadBatcher(
            () -> true,
            endOfTurn::add,
            task -> {
              throw new OutOfMemoryError("made up");
            });
    turn(batcher, 0);
    turn(batcher, MANY);
    assertFalse(batcher.gathers());
    assertEquals(0, started.get());
  }
}
