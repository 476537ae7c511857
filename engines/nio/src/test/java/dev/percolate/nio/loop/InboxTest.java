package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that other threads submit to a loop. */
@Timeout(20)
final class InboxTest {

  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();

  @Test
  void theLoopIsAskedOnceForMany() {
    Inbox inbox = new Inbox(loop::add);
    for (String name : List.of("a", "b", "c")) {
      inbox.add(() -> done.add(name), InboxTest::notLost);
    }
    assertEquals(1, loop.size());
    loop.remove().run();
    assertEquals(List.of("a", "b", "c"), done);
    inbox.add(() -> done.add("d"), InboxTest::notLost);
    assertEquals(1, loop.size());
    loop.remove().run();
    assertEquals(List.of("a", "b", "c", "d"), done);
  }

  @Test
  void whatComesMeanwhileIsDoneNextTime() {
    Inbox inbox = new Inbox(loop::add);
    inbox.add(() -> inbox.add(() -> done.add("later"), InboxTest::notLost), InboxTest::notLost);
    inbox.add(() -> done.add("now"), InboxTest::notLost);
    loop.remove().run();
    assertEquals(List.of("now"), done);
    loop.remove().run();
    assertEquals(List.of("now", "later"), done);
  }

  @Test
  void aTaskThatFailsDoesNotHoldTheOthersUp() {
    Inbox inbox = new Inbox(loop::add);
    inbox.add(
        () -> {
          throw new IllegalStateException("made up");
        },
        InboxTest::notLost);
    inbox.add(() -> done.add("b"), InboxTest::notLost);
    loop.remove().run();
    assertEquals(List.of("b"), done);
  }

  @Test
  void whatTheLoopCouldNotBeToldOfIsDoneWhenItLooks() {
    AtomicInteger failures = new AtomicInteger(1);
    Inbox inbox =
        new Inbox(
            task -> {
              if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("made up");
              }
            });
    inbox.add(() -> done.add("a"), InboxTest::notLost);
    inbox.add(() -> done.add("b"), InboxTest::notLost);
    inbox.takeAll();
    assertEquals(List.of("a", "b"), done);
  }

  @Test
  void aLoopThatHasEndedLosesTasksAloud() {
    Inbox inbox =
        new Inbox(
            task -> {
              throw new RejectedExecutionException();
            });
    inbox.add(() -> done.add("done"), () -> done.add("lost a"));
    inbox.add(() -> done.add("done"), () -> done.add("lost b"));
    inbox.takeAll();
    assertEquals(List.of("lost a", "lost b"), done);
  }

  @RepeatedTest(50)
  void eachTaskIsDoneOrLostOnceWhileTheLoopEndsAndInOrder() throws Exception {
    int threads = 4;
    int each = 2_000;
    ExecutorService end = Executors.newSingleThreadExecutor();
    Inbox inbox = new Inbox(end);
    ExecutorService others = Executors.newFixedThreadPool(threads);
    AtomicIntegerArray told = new AtomicIntegerArray(threads * each);
    int[] before = new int[threads]; // of each thread, the last task that was done
    CyclicBarrier start = new CyclicBarrier(threads);
    AtomicInteger disorder = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      all.add(
          others.submit(
              () -> {
                start.await();
                for (int i = 1; i <= each; i++) {
                  int number = i;
                  int at = thread * each + i - 1;
                  inbox.add(
                      () -> {
                        told.incrementAndGet(at);
                        disorder.addAndGet(before[thread] < number ? 0 : 1);
                        before[thread] = number;
                      },
                      () -> told.incrementAndGet(at));
                  if (thread == 0 && i == each / 2) {
                    end.shutdown();
                  }
                }
                return null;
              }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    assertTrue(end.awaitTermination(10, TimeUnit.SECONDS));
    others.shutdown();
    for (int i = 0; i < told.length(); i++) {
      assertEquals(1, told.get(i));
    }
    assertEquals(0, disorder.get());
  }

  private static void notLost() {
    throw new AssertionError("lost");
  }
}
