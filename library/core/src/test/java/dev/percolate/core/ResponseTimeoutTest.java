package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(30)
final class ResponseTimeoutTest {

  private static final Duration SHORT = Duration.ofMillis(50);

  /** A longer time, in milliseconds. */
  private static final long LONGER = 90;

  private final FakeExchange exchange = new FakeExchange();
  private final AtomicReference<Response> held = new AtomicReference<>();

  @Test
  @DisplayName("DOS-07: a request without a response in time is 503, with one log line")
  void aRequestWithoutAResponseInTimeIs503() throws Exception {
    List<String> lines;
    try (LogLines log = new LogLines()) {
      serve(SHORT, (req, res, next) -> held.set(res));
      awaitEnd();
      lines = log.lines();
    }
    assertEquals(503, exchange.status);
    assertEquals("Service Unavailable\n", exchange.body());
    assertEquals(1, lines.size(), lines::toString);
    assertEquals(
        "WARNING no response within PT0.05S: GET / waits for step 1 of 2, which returned without"
            + " sending a response or calling next",
        lines.get(0));
    assertThrows(IllegalStateException.class, () -> held.get().send("late"));
  }

  @Test
  @DisplayName("DOS-07: a handler that blocks its thread does not delay the response")
  void aBlockedHandlerDoesNotDelayTheResponse() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    exchange.executor = new SerialExecutor(task -> new Thread(task).start(), true);
    try (LogLines log = new LogLines()) {
      serve(
          SHORT,
          (req, res, next) -> {
            held.set(res);
            leave.await();
          });
      awaitEnd();
      assertEquals(1, log.lines().size());
    }
    assertEquals(503, exchange.status);
    leave.countDown();
  }

  @Test
  @DisplayName("DOS-07: an application that blocks the common pool does not delay timeouts")
  void aBlockedCommonPoolDoesNotDelayTheResponse() throws Exception {
    ForkJoinPool common = ForkJoinPool.commonPool();
    CountDownLatch leave = new CountDownLatch(1);
    List<ForkJoinTask<?>> blockers = new ArrayList<>();
    for (int i = 0; i < common.getParallelism(); i++) {
      Callable<Void> blocker =
          () -> {
            leave.await();
            return null;
          };
      blockers.add(common.submit(blocker));
    }
    try (LogLines log = new LogLines()) {
      serve(SHORT, (req, res, next) -> held.set(res));
      awaitEnd();
      assertEquals(1, log.lines().size());
    } finally {
      leave.countDown();
      blockers.forEach(ForkJoinTask::join);
    }
    assertEquals(503, exchange.status);
  }

  @Test
  @DisplayName("DOS-07: responses whose hooks block do not delay timers")
  void hooksThatBlockDoNotDelayTimers() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(8);
    Middleware blocking =
        (req, res, next) -> {
          res.onHeaders(
              () -> {
                blocked.countDown();
                assertDoesNotThrow(() -> leave.await());
              });
          leave.await();
        };
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 8; i++) {
        FakeExchange other = new FakeExchange();
        other.executor = new SerialExecutor(task -> new Thread(task).start(), true);
        serve(other, SHORT, blocking);
      }
      blocked.await();
      serve(SHORT, (req, res, next) -> held.set(res));
      awaitEnd();
      assertEquals(9, log.lines().size());
    } finally {
      leave.countDown();
    }
    assertEquals(503, exchange.status);
  }

  @Test
  void aStartedResponseHasNoTimeout() throws Exception {
    try (LogLines log = new LogLines()) {
      serve(
          SHORT,
          (req, res, next) -> {
            res.write("begun,");
            held.set(res);
          });
      Thread.sleep(LONGER);
      held.get().end("ended");
      assertEquals(List.of(), log.lines());
    }
    assertEquals("200 begun,ended", exchange.status + " " + exchange.body());
  }

  @Test
  void aDisconnectedClientEndsTheTimeout() throws Exception {
    try (LogLines log = new LogLines()) {
      serve(SHORT, (req, res, next) -> held.set(res));
      exchange.finish(new ClientDisconnectedException(null));
      Thread.sleep(LONGER);
      assertEquals(List.of(), log.lines());
    }
    assertFalse(exchange.calls.contains("end"));
  }

  @Test
  void zeroMeansNoTimeout() throws Exception {
    serve(Duration.ZERO, (req, res, next) -> held.set(res));
    Thread.sleep(LONGER);
    assertFalse(exchange.calls.contains("end"));
  }

  @Test
  void aFirstRequestThatComputesIsReportedLate() throws Exception {
    AtomicBoolean leave = new AtomicBoolean();
    CountDownLatch computing = new CountDownLatch(1);
    Runnable handler =
        () -> {
          computing.countDown();
          while (!leave.get()) {
            Thread.onSpinWait();
          }
        };
    assertReportedLate(handler, computing::await);
    leave.set(true);
  }

  @Test
  void aFirstRequestThatWaitsForALockIsReportedLate() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    try {
      assertReportedLate(
          lock::lock,
          () -> {
            while (!lock.hasQueuedThreads()) {
              Thread.onSpinWait();
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks that a request is not reported after the usual time, but after five times as long.
   *
   * @param running returns when the handler is running
   */
  private void assertReportedLate(Runnable handler, Executable running) throws Exception {
    Duration usual = Duration.ofHours(1);
    exchange.executor = new SerialExecutor(task -> new Thread(task).start(), true);
    exchange.setting("env", "development").setting("slow request warning", usual);
    ResponseTimeout timeout = exchange.request().responseTimeout();
    long begun = System.nanoTime();
    exchange.executor.execute(handler);
    assertDoesNotThrow(running);
    try (LogLines log = new LogLines()) {
      timeout.look(begun + usual.toNanos());
      timeout.look(begun + 4 * usual.toNanos());
      assertEquals(List.of(), log.lines());
      timeout.look(begun + 5 * usual.toNanos());
      assertEquals(1, log.lines().size(), log.lines()::toString);
    } finally {
      timeout.answered();
    }
  }

  private void serve(Duration time, Middleware step) {
    serve(exchange, time, step);
  }

  private static void serve(FakeExchange exchange, Duration time, Middleware step) {
    exchange.responseTimeout = time;
    ErrorHandler hanging = (error, req, res, next) -> {};
    Service service = Chain.service(new Settings(), step, hanging);
    exchange.executor.execute(() -> service.serve(exchange)); // as engines do
  }

  private void awaitEnd() throws InterruptedException {
    while (exchange.bytes().length == 0) {
      Thread.sleep(5);
    }
  }
}
