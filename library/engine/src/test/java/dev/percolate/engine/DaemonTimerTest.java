package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DaemonTimerTest {

  private static final Duration SOON = Duration.ofMillis(1);

  @Test
  void aTaskRunsOnADaemonThreadOfTheTimer() {
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    Runnable ignored = DaemonTimer.after(SOON, () -> ran.complete(Thread.currentThread()));
    Thread thread = ran.join();
    assertEquals("percolate-timer true", thread.getName() + ' ' + thread.isDaemon());
  }

  @Test
  void aTaskThatThrowsDoesNotStopTheTimer() throws Exception {
    CountDownLatch later = new CountDownLatch(1);
    for (int i = 0; i < 10; i++) {
      Runnable ignored =
          DaemonTimer.after(
              SOON,
              () -> {
                throw new NoClassDefFoundError("gone");
              });
    }
    Runnable ignored = DaemonTimer.after(SOON.multipliedBy(2), later::countDown);
    assertTrue(later.await(30, TimeUnit.SECONDS));
  }

  @Test
  void aCancelledTaskDoesNotRun() {
    CompletableFuture<String> first = new CompletableFuture<>();
    Runnable cancel = DaemonTimer.after(Duration.ofMillis(20), () -> first.complete("cancelled"));
    cancel.run();
    Runnable ignored = DaemonTimer.after(Duration.ofMillis(30), () -> first.complete("other"));
    assertEquals("other", first.join());
  }

  @Test
  void tasksThatBlockDoNotDelayOthers() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(50);
    for (int i = 0; i < 50; i++) {
      Runnable ignored =
          DaemonTimer.afterBlocking(
              SOON,
              () -> {
                blocked.countDown();
                awaitQuietly(leave);
              });
    }
    assertTrue(blocked.await(30, TimeUnit.SECONDS));
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    Runnable ignored = DaemonTimer.after(SOON, () -> ran.complete(Thread.currentThread()));
    assertNotEquals(Thread.currentThread(), ran.get(30, TimeUnit.SECONDS));
    leave.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
