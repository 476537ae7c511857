package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads that share the processors for computations. */
@Timeout(60)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads")
final class ComputeQueueTest {

  private static final int PLACES = Runtime.getRuntime().availableProcessors();

  private final ExecutorService threads = VirtualThreads.executor("computing-");
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void endTheCrowd() {
    over.set(true); // otherwise later tests would wait
  }

  @Test
  void newThreadsDoNotWaitForComputingThreads() throws Exception {
    List<Future<?>> crowd = new ArrayList<>();
    for (int i = 0; i < 30 * PLACES; i++) {
      crowd.add(threads.submit(this::computeAndCompute));
    }
    for (int i = 0; i < 50; i++) {
      assertEquals("soon", threads.submit(() -> "soon").get(20, TimeUnit.SECONDS));
    }
    over.set(true);
    for (Future<?> one : crowd) {
      one.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void atMostOnePartForEachProcessorRunsAtOnce() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> crowd = new ArrayList<>();
    for (int i = 0; i < 30 * PLACES; i++) {
      crowd.add(
          threads.submit(
              () ->
                  VirtualThreads.runFairly(
                      () -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        compute();
                        now.decrementAndGet();
                      })));
    }
    for (Future<?> one : crowd) {
      one.get(30, TimeUnit.SECONDS);
    }
    assertTrue(most.get() <= PLACES, () -> most + " at once");
  }

  @Test
  void nestedPartsBelongToTheOuterPartAndFailedPartsReleaseTheirPermit() throws Exception {
    for (int i = 0; i < 2 * PLACES; i++) {
      AtomicInteger ran = new AtomicInteger();
      Runnable inner = () -> VirtualThreads.runFairly(ran::incrementAndGet);
      threads.submit(() -> VirtualThreads.runFairly(inner)).get(20, TimeUnit.SECONDS);
      assertEquals(1, ran.get());
      Runnable failing =
          () -> {
            throw new IllegalStateException("failed");
          };
      Future<?> failed = threads.submit(() -> VirtualThreads.runFairly(failing));
      ExecutionException told =
          assertThrows(ExecutionException.class, () -> failed.get(20, TimeUnit.SECONDS));
      assertEquals("failed", String.valueOf(told.getCause().getMessage()));
    }
  }

  @Test
  void partsThatWaitOutOfTurnDoNotDelayThePartThatTheyWaitFor() throws Exception {
    CountDownLatch waiting = new CountDownLatch(PLACES);
    CountDownLatch awaited = new CountDownLatch(1);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> crowd = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      crowd.add(
          threads.submit(
              () ->
                  VirtualThreads.runFairly(
                      () -> {
                        waiting.countDown();
                        VirtualThreads.runBlocking(() -> await(awaited));
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        compute();
                        now.decrementAndGet();
                      })));
    }
    assertTrue(waiting.await(20, TimeUnit.SECONDS));
    threads.submit(() -> VirtualThreads.runFairly(awaited::countDown)).get(20, TimeUnit.SECONDS);
    for (Future<?> one : crowd) {
      one.get(20, TimeUnit.SECONDS);
    }
    assertTrue(most.get() <= PLACES, () -> most + " at once");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void computeAndCompute() {
    while (!over.get()) {
      VirtualThreads.runFairly(ComputeQueueTest::compute);
    }
  }

  /** Computes for two milliseconds. */
  private static void compute() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
