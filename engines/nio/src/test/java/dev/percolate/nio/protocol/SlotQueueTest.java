package dev.percolate.nio.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SlotQueueTest {

  private static final int PLACES = 3;

  private final AtomicInteger taken = new AtomicInteger();
  private final SlotQueue slots = new SlotQueue(() -> PLACES - taken.get());
  private final ExecutorService threads = Executors.newFixedThreadPool(8);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void theOneThatHasWaitedLongestIsCalledFirst() {
    taken.set(PLACES);
    List<String> called = new ArrayList<>();
    slots.await(() -> called.add("a"));
    slots.await(() -> called.add("b"));
    assertEquals(List.of(), called);
    taken.decrementAndGet();
    slots.give();
    assertEquals(List.of("a"), called);
    assertEquals(0, slots.left(), "the slot is reserved");
    slots.over(); // a has not used it
    assertEquals(List.of("a", "b"), called);
  }

  @Test
  void eachTaskIsCalledOnceAndNeverMoreThanThereAreSlots() throws Exception {
    int waiting = 40_000;
    CountDownLatch called = new CountDownLatch(waiting);
    AtomicInteger most = new AtomicInteger();
    for (int asking = 0; asking < 4; asking++) {
      threads.execute(
          () -> {
            for (int i = 0; i < waiting / 4; i++) {
              slots.await(() -> threads.execute(() -> use(called, most)));
            }
          });
    }
    assertTrue(called.await(50, TimeUnit.SECONDS), () -> called.getCount() + " are left");
    assertTrue(most.get() <= PLACES, () -> most.get() + " concurrently");
    assertEquals(PLACES, slots.left());
  }

  /** Takes a slot and releases it. */
  private void use(CountDownLatch called, AtomicInteger most) {
    most.accumulateAndGet(taken.incrementAndGet(), Math::max);
    slots.over();
    taken.decrementAndGet();
    slots.give();
    called.countDown();
  }
}
