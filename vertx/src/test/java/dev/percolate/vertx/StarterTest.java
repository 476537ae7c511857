package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.loop.Starter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that one turn of a loop asks for. */
@Timeout(20)
final class StarterTest {

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop loop = group.next();

  @AfterEach
  void close() throws Exception {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  /** Starts threads, and notes who asks; or fails, a given number of times. */
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
      (loop.inEventLoop() ? byTheLoop : byOthers).incrementAndGet();
      new Thread(task).start();
    }
  }

  private static void run(EventLoop loop, Starter starter, int tasks, Queue<Integer> ran)
      throws Exception {
    CountDownLatch all = new CountDownLatch(tasks);
    loop.submit(
            () ->
                IntStream.range(0, tasks)
                    .forEach(
                        i ->
                            starter.execute(
                                () -> {
                                  ran.add(i);
                                  all.countDown();
                                })))
        .sync();
    while (!all.await(50, TimeUnit.MILLISECONDS)) {
      loop.submit(starter::retry).sync();
    }
  }

  private static List<Integer> upTo(int tasks) {
    return IntStream.range(0, tasks).boxed().toList();
  }

  @Test
  void thoseOfOneTurnAreStartedByOne() throws Exception {
    Threads threads = new Threads();
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, new Starter(loop::inEventLoop, loop, threads), 50, ran);
    assertEquals(upTo(50), ran.stream().sorted().toList());
    assertEquals(1, threads.byTheLoop.get());
    assertEquals(50, threads.byOthers.get());
  }

  @Test
  void aSingleOneIsStartedByTheLoop() throws Exception {
    Threads threads = new Threads();
    run(loop, new Starter(loop::inEventLoop, loop, threads), 1, new ConcurrentLinkedQueue<>());
    assertEquals(1, threads.byTheLoop.get());
    assertEquals(0, threads.byOthers.get());
  }

  @Test
  void elsewhereThanOnTheLoopAThreadIsStartedAtOnce() throws Exception {
    Threads threads = new Threads();
    CountDownLatch ran = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    loop.execute(() -> await(held));
    new Starter(loop::inEventLoop, loop, threads).execute(ran::countDown);
    ran.await();
    held.countDown();
    assertEquals(1, threads.byOthers.get());
  }

  @Test
  void manyDoNotWaitForTheEndOfALongTurn() throws Exception {
    Starter starter = new Starter(loop::inEventLoop, loop, new Threads());
    CountDownLatch some = new CountDownLatch(64);
    CountDownLatch all = new CountDownLatch(100);
    boolean inTime =
        loop.submit(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    starter.execute(
                        () -> {
                          some.countDown();
                          all.countDown();
                        });
                  }
                  return some.await(10, TimeUnit.SECONDS); // within the turn
                })
            .sync()
            .getNow();
    assertTrue(inTime);
    all.await();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 19})
  void whatCannotBeStartedIsStartedLaterAndOnce(int failsFrom) throws Exception {
    Threads threads = new Threads();
    threads.failures.set(3);
    threads.failsFrom = failsFrom;
    Starter starter = new Starter(loop::inEventLoop, loop, threads);
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, starter, 20, ran);
    assertEquals(upTo(20), ran.stream().sorted().toList());
    assertTrue(threads.failures.get() <= 0, "nothing has failed");
    run(loop, starter, 20, ran); // and the next turn has its own
    assertEquals(40, ran.size());
  }

  @Test
  void oneThatFailsAloneIsStartedLaterAndOnce() throws Exception {
    Threads threads = new Threads();
    threads.failures.set(3);
    threads.failsFrom = 0;
    Queue<Integer> ran = new ConcurrentLinkedQueue<>();
    run(loop, new Starter(loop::inEventLoop, loop, threads), 1, ran);
    assertEquals(upTo(1), List.copyOf(ran));
  }

  @Test
  void aLoopThatEndsStartsWhatItWasAsked() throws Exception {
    Starter starter = new Starter(loop::inEventLoop, loop, new Threads());
    CountDownLatch ran = new CountDownLatch(10);
    loop.execute(
        () -> {
          end();
          for (int i = 0; i < 10; i++) {
            starter.execute(ran::countDown);
          }
        });
    ran.await();
    group.terminationFuture().sync();
    CountDownLatch late = new CountDownLatch(1);
    starter.execute(late::countDown);
    late.await();
    assertFalse(loop.inEventLoop());
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the test waits for the end itself
  private void end() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
