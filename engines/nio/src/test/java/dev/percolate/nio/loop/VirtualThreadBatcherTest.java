package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that a loop starts in one iteration. */
@Timeout(20)
final class VirtualThreadBatcherTest {

  private final Loop loop = new Loop();

  @AfterEach
  void close() {
    loop.end();
  }

  /** A thread that runs tasks one by one. */
  private static final class Loop implements Executor {

    private volatile Thread thread;
    private final ExecutorService tasks =
        Executors.newSingleThreadExecutor(
            task -> {
              thread = new Thread(task);
              return thread;
            });

    boolean isHere() {
      return Thread.currentThread() == thread;
    }

    @Override
    public void execute(Runnable task) {
      tasks.execute(task);
    }

    <T> T call(Callable<T> task) throws Exception {
      return tasks.submit(task).get(20, TimeUnit.SECONDS);
    }

    void end() {
      tasks.shutdown();
    }

    void awaitEnd() throws InterruptedException {
      assertTrue(tasks.awaitTermination(20, TimeUnit.SECONDS));
    }
  }

  /** Starts threads and records the calling threads, or fails a given number of times. */
  private final class Threads implements Executor {

    private final AtomicInteger byTheLoop = new AtomicInteger();
    private final AtomicInteger byOthers = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile int failsFrom = Integer.MAX_VALUE;

    @Override
    public void execute(Runnable task) {
      if (byTheLoop.get() + byOthers.get() >= failsFrom && failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("made up");
      }
      (loop.isHere() ? byTheLoop : byOthers).incrementAndGet();
      new Thread(task).start();
    }
  }

  private static void run(Loop loop, VirtualThreadBatcher batcher, int tasks, Queue<Integer> ran)
      throws Exception {
    CountDownLatch all = new CountDownLatch(tasks);
    loop.execute(
        () ->
            IntStream.range(0, tasks)
                .forEach(
                    i ->
                        batcher.execute(
                            () -> {
                              ran.add(i);
                              all.countDown();
                            })));
    while (!all.await(50, TimeUnit.MILLISECONDS)) {
      loop.execute(batcher::retry);
    }
  }

  private static List<Integer> upTo(int tasks) {
    return IntStream.range(0, tasks).boxed().toList();
  }

  @Test
  void thoseOfOneTurnAreStartedByOne() throws Exception {
    Threads threads = new Threads();
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, new VirtualThreadBatcher(loop::isHere, loop, threads), 50, ran);
    assertEquals(upTo(50), ran.stream().sorted().toList());
    assertEquals(1, threads.byTheLoop.get());
    assertEquals(50, threads.byOthers.get());
  }

  @Test
  void aSingleOneIsStartedByTheLoop() throws Exception {
    Threads threads = new Threads();
    run(
        loop,
        new VirtualThreadBatcher(loop::isHere, loop, threads),
        1,
        new ConcurrentLinkedQueue<>());
    assertEquals(1, threads.byTheLoop.get());
    assertEquals(0, threads.byOthers.get());
  }

  @Test
  void elsewhereThanOnTheLoopAThreadIsStartedAtOnce() throws Exception {
    Threads threads = new Threads();
    CountDownLatch ran = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    loop.execute(() -> await(held));
    new VirtualThreadBatcher(loop::isHere, loop, threads).execute(ran::countDown);
    ran.await();
    held.countDown();
    assertEquals(1, threads.byOthers.get());
  }

  @Test
  void manyDoNotWaitForTheEndOfALongTurn() throws Exception {
    VirtualThreadBatcher batcher = new VirtualThreadBatcher(loop::isHere, loop, new Threads());
    CountDownLatch some = new CountDownLatch(64);
    CountDownLatch all = new CountDownLatch(100);
    boolean inTime =
        loop.call(
            () -> {
              for (int i = 0; i < 100; i++) {
                batcher.execute(
                    () -> {
                      some.countDown();
                      all.countDown();
                    });
              }
              return some.await(10, TimeUnit.SECONDS); // within the turn
            });
    assertTrue(inTime);
    all.await();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 19})
  void whatCannotBeStartedIsStartedLaterAndOnce(int failsFrom) throws Exception {
    Threads threads = new Threads();
    threads.failures.set(3);
    threads.failsFrom = failsFrom;
    VirtualThreadBatcher batcher = new VirtualThreadBatcher(loop::isHere, loop, threads);
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, batcher, 20, ran);
    assertEquals(upTo(20), ran.stream().sorted().toList());
    assertTrue(threads.failures.get() <= 0, "nothing has failed");
    run(loop, batcher, 20, ran); // and the next turn has its own
    assertEquals(40, ran.size());
  }

  @Test
  void oneThatFailsAloneIsStartedLaterAndOnce() throws Exception {
    Threads threads = new Threads();
    threads.failures.set(3);
    threads.failsFrom = 0;
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, new VirtualThreadBatcher(loop::isHere, loop, threads), 1, ran);
    assertEquals(upTo(1), List.copyOf(ran));
  }

  @Test
  void aLoopThatEndsStartsWhatItWasAsked() throws Exception {
    VirtualThreadBatcher batcher = new VirtualThreadBatcher(loop::isHere, loop, new Threads());
    CountDownLatch ran = new CountDownLatch(10);
    loop.execute(
        () -> {
          loop.end();
          for (int i = 0; i < 10; i++) {
            batcher.execute(ran::countDown);
          }
        });
    ran.await();
    loop.awaitEnd();
    CountDownLatch late = new CountDownLatch(1);
    batcher.execute(late::countDown);
    late.await();
    assertFalse(loop.isHere());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
