package dev.percolate.engine.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
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
}
