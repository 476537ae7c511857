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
final class StarterWaitTest {

  private static final int MANY = 10;

  private final Queue<Runnable> endOfTurn = new ArrayDeque<>();
  private final AtomicInteger started = new AtomicInteger();

  private Starter starter(CountDownLatch let) {
    return new Starter(
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

  private void turn(Starter starter, int tasks) {
    for (int i = 0; i < tasks; i++) {
      starter.execute(started::incrementAndGet);
    }
    for (Runnable task = endOfTurn.poll(); task != null; task = endOfTurn.poll()) {
      task.run();
    }
    starter.awaitStarted();
  }

  @Test
  void itGoesOnWhenTheyHaveTheirThreads() throws Exception {
    Starter starter = starter(new CountDownLatch(0));
    turn(starter, MANY);
    turn(starter, MANY);
    while (started.get() < 2 * MANY) {
      Thread.onSpinWait();
    }
    assertEquals(2 * MANY, started.get());
  }

  @Test
  void itGoesOnThoughNobodyEverRuns() {
    Starter starter = starter(new CountDownLatch(1));
    for (int i = 0; i < 3; i++) {
      turn(starter, MANY);
    }
    assertEquals(0, started.get());
  }

  @Test
  void whoeverIsLateWakesNobodyWhoDoesNotWaitForHim() throws Exception {
    CountDownLatch let = new CountDownLatch(1);
    Starter starter = starter(let);
    turn(starter, MANY);
    let.countDown();
    while (started.get() < MANY) {
      Thread.onSpinWait();
    }
    turn(starter, 1);
    turn(starter, MANY);
    while (started.get() < 2 * MANY + 1) {
      Thread.onSpinWait();
    }
    assertTrue(endOfTurn.isEmpty());
  }

  @Test
  void manyLeaveToItWhatTheyWantButTheFirstAndFewDoNot() {
    List<Boolean> seen = new ArrayList<>();
    Starter starter = new Starter(() -> true, endOfTurn::add, Runnable::run);
    turn(starter, 0);
    for (int tasks : new int[] {3, MANY, 3, MANY}) {
      for (int i = 0; i < tasks; i++) {
        starter.execute(() -> seen.add(starter.gathers()));
      }
      turn(starter, 0);
      assertFalse(starter.gathers(), "behind a turn");
    }
    List<Boolean> expected = new ArrayList<>(Collections.nCopies(2 * MANY + 6, false));
    Collections.fill(expected.subList(4, 3 + MANY), true);
    Collections.fill(expected.subList(7 + MANY, 6 + 2 * MANY), true);
    assertEquals(expected, seen);
  }

  @Test
  void itWaitsForNobodyWhoCannotBeStarted() {
    Starter starter =
        new Starter(
            () -> true,
            endOfTurn::add,
            task -> {
              throw new OutOfMemoryError("made up");
            });
    turn(starter, 0);
    turn(starter, MANY);
    assertFalse(starter.gathers());
    assertEquals(0, started.get());
  }
}
