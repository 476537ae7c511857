package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.ListenOptions;
import dev.percolate.core.Server;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.core.Threads;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** What is particular to virtual threads that the event loop carries. */
@EnabledForJreRange(min = JRE.JAVA_24)
final class CarriedTest {

  private static Server serve(Handler handler) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(Threads.CARRIED);
    return new VertxEngine().listen(Service.of(new Settings(), handler), options);
  }

  @Test
  void stepsRunOnVirtualThreadsMountedOnTheEventLoop() throws Exception {
    try (Server server = serve((req, res) -> res.end(Thread.currentThread().toString()))) {
      String thread = Call.get("/").to(server.uri()).text();
      assertTrue(thread.startsWith("VirtualThread["), thread);
      assertTrue(thread.contains("eventloop"), thread);
    }
  }

  @Test
  void waitingStepsDoNotHoldTheLoop() throws Exception {
    Handler sleeping =
        (req, res) -> {
          Thread.sleep(300);
          res.end("x");
        };
    try (Server server = serve(sleeping)) {
      long start = System.nanoTime();
      List<CompletableFuture<String>> calls = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        calls.add(
            CompletableFuture.supplyAsync(
                () -> Call.get("/").to(server.uri()).text(), task -> new Thread(task).start()));
      }
      for (CompletableFuture<String> call : calls) {
        assertEquals("x", call.get(20, TimeUnit.SECONDS));
      }
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(ms < 40 * 300 / 4, ms + " ms for 40 steps of 300 ms");
    }
  }

  @Test
  void stepsOfPipelinedRequestsWait() throws Exception {
    Handler sleeping =
        (req, res) -> {
          Thread.sleep(5);
          res.end("<" + req.path() + ">");
        };
    String head = " HTTP/1.1\r\nHost: a\r\n\r\n";
    try (Server server = serve(sleeping);
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET /1" + head + "GET /2" + head + "GET /3" + head);
      socket.readTo("</1>");
      socket.readTo("</2>");
      socket.readTo("</3>");
      assertEquals("</4>", Call.get("/4").to(server.uri()).text());
    }
  }

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // a yield is what is tested
  void contendedLocksAndYieldsAreSurvived() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    Object monitor = new Object();
    Handler contending =
        (req, res) -> {
          for (int i = 0; i < 2000; i++) {
            Thread.yield();
          }
          lock.lock();
          try {
            Thread.sleep(1);
          } finally {
            lock.unlock();
          }
          synchronized (monitor) {
            Thread.sleep(1);
          }
          res.end("x");
        };
    try (Server server = serve(contending)) {
      List<CompletableFuture<String>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(
            CompletableFuture.supplyAsync(
                () -> Call.get("/").to(server.uri()).text(), task -> new Thread(task).start()));
      }
      for (CompletableFuture<String> call : calls) {
        assertEquals("x", call.get(20, TimeUnit.SECONDS));
      }
    }
  }

  @Test
  @DisplayName("LIFE-03: a step that holds an event loop is named")
  void aStepThatHoldsTheLoopIsNamed() throws Exception {
    Handler burning =
        (req, res) -> {
          long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          res.end("x");
        };
    try (Logged logged = new Logged("dev.percolate.vertx");
        Server server = serve(burning)) {
      assertEquals("x", Call.get("/").to(server.uri()).text());
      List<String> warnings = logged.messages();
      assertEquals(1, warnings.size(), warnings.toString());
      assertTrue(warnings.get(0).contains("step 1 of 1"), warnings.get(0));
    }
  }
}
