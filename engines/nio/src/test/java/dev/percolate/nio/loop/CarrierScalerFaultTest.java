package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of the thread that adds carriers: nothing depends on it, so none is fatal. */
@Timeout(60)
class CarrierScalerFaultTest {

  /** Creates threads on which no probe ever runs, as when all carriers are busy. */
  private static final ThreadFactory STARVING = task -> new Thread(() -> {});

  @Test
  void aLibraryThatCannotBeLoadedIsTriedAgain() throws Exception {
    CountDownLatch tried = new CountDownLatch(3);
    IntConsumer failing =
        by -> {
          tried.countDown();
          throw new UnsatisfiedLinkError("libmanagement.so: Too many open files");
        };
    CarrierScaler scaler = new CarrierScaler(failing, STARVING, () -> 1, () -> 0);
    scaler.start();
    assertTrue(tried.await(30, TimeUnit.SECONDS));
    scaler.stop();
  }

  @Test
  void afterAFailureItAddsCarriersAndGivesThemBackInTheEnd() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    IntSupplier unanswered =
        () -> {
          if (looks.getAndIncrement() == 0) {
            throw new OutOfMemoryError("no room");
          }
          return 1;
        };
    AtomicInteger carriers = new AtomicInteger();
    CountDownLatch added = new CountDownLatch(2);
    CountDownLatch givenBack = new CountDownLatch(1);
    IntConsumer change =
        by -> {
          carriers.addAndGet(by);
          (by > 0 ? added : givenBack).countDown();
        };
    CarrierScaler scaler = new CarrierScaler(change, STARVING, unanswered, () -> 0);
    scaler.start();
    assertTrue(added.await(30, TimeUnit.SECONDS));
    scaler.stop();
    assertTrue(givenBack.await(30, TimeUnit.SECONDS));
    assertEquals(0, carriers.get());
  }

  @DisplayName("DOS-08: the carrier scaler tries again if a thread cannot be created")
  @Test
  void aThreadThatCannotBeCreatedIsTriedAgain() throws Exception {
    CountDownLatch asked = new CountDownLatch(3);
    ThreadFactory scarce =
        task -> {
          asked.countDown();
          throw new OutOfMemoryError("unable to create native thread");
        };
    CarrierScaler scaler = new CarrierScaler(by -> {}, scarce, () -> 1, () -> 0);
    scaler.start();
    assertTrue(asked.await(30, TimeUnit.SECONDS));
    scaler.stop();
  }
}
