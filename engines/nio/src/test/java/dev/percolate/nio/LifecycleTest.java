package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.testkit.Call;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starting and stopping servers. */
final class LifecycleTest extends ServerFixture {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  void theEngineIsFoundByTheServiceLoader() {
    assertEquals(engine().getClass(), Engine.find().getClass());
  }

  @Test
  void aFreePortIsFoundAndReported() throws Exception {
    try (Server server = serve(options(), (req, res) -> res.end("x"))) {
      assertTrue(server.port() > 0);
      assertEquals("http://127.0.0.1:" + server.port(), server.uri().toString());
      assertEquals("x", Call.get("/").to(server.uri()).text());
    }
  }

  @Test
  @DisplayName("LIFE-02: a taken port is an error that names it")
  void aTakenPortIsAnErrorThatNamesIt() throws Exception {
    try (Server server = serve(options(), (req, res) -> res.end())) {
      ListenOptions same = options().port(server.port());
      BindException e = assertThrows(BindException.class, () -> serve(same, (req, res) -> {}));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith("port " + server.port() + " of 127.0.0.1: "), message);
    }
  }

  @Test
  void anUnknownHostIsAnErrorThatNamesIt() {
    ListenOptions nowhere = options().host("no.such.host.invalid");
    IOException e = assertThrows(IOException.class, () -> serve(nowhere, (req, res) -> {}));
    assertEquals("host \"no.such.host.invalid\" cannot be resolved", e.getMessage());
  }

  @Test
  void aClosedServerReleasesItsPortAndThreads() throws Exception {
    int threads = 0;
    int port = 0;
    for (int i = 0; i < 20; i++) {
      Server server = serve(options().port(port), (req, res) -> res.end("x"));
      port = server.port();
      assertEquals("x", Call.get("/").to(server.uri()).text());
      server.close();
      assertTrue(server.closed().toCompletableFuture().isDone());
      assertThrows(ConnectException.class, () -> new RawSocket(server).close());
      int now = Thread.activeCount();
      threads = i == 1 ? now : threads;
      assertTrue(i < 2 || now <= threads + 4, now + " threads after " + threads);
    }
  }

  @Test
  void closingWaitsForRequestsThatHaveArrived() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Handler slow =
        (req, res) -> {
          arrived.countDown();
          leave.await();
          res.end("whole");
        };
    Server server = serve(options(), slow);
    try (RawSocket socket = new RawSocket(server);
        RawSocket idle = new RawSocket(server)) {
      socket.send(GET);
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      assertEquals("", idle.readToClose());
      assertFalse(closing.isDone());
      leave.countDown();
      String response = socket.readToClose();
      assertTrue(response.contains("Connection: close\r\n"), response);
      assertTrue(response.endsWith("\r\n\r\nwhole"), response);
      closing.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aServerThatShutsDownAcceptsClientsDuringTheAnnouncement() throws Exception {
    ListenOptions options = options().shutdownDelay(Duration.ofMillis(800));
    Server server = serve(options, (req, res) -> res.end("x"));
    try (RawSocket before = new RawSocket(server)) {
      assertFalse(before.send(GET).readTo("\r\n\r\nx").contains("Connection: close"));
      assertFalse(server.isShuttingDown());
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      while (!server.isShuttingDown()) {
        Thread.onSpinWait();
      }
      assertTrue(before.send(GET).readToClose().contains("Connection: close\r\n"));
      try (RawSocket during = new RawSocket(server)) {
        assertTrue(during.send(GET).readToClose().contains("Connection: close\r\n"));
      }
      closing.get(20, TimeUnit.SECONDS);
      assertThrows(ConnectException.class, () -> new RawSocket(server).close());
    }
  }

  @Test
  void upgradedConnectionsAreNotifiedOfTheShutdownAndClosedAtTheDeadline() throws Exception {
    Handler takes =
        (req, res) -> {
          boolean obeys = req.path().equals("/obeys");
          res.set("Upgrade", "talk");
          res.upgrade(
              connection -> {
                if (obeys) {
                  ByteBuffer bye = ByteBuffer.wrap(new byte[] {'b', 'y', 'e'});
                  connection.onEnd(req.onShutdown(() -> connection.end(bye)));
                }
              });
        };
    String asking = " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: talk\r\n\r\n";
    Server server = serve(options().shutdownTimeout(Duration.ofMillis(500)), takes);
    try (RawSocket obeys = new RawSocket(server);
        RawSocket stays = new RawSocket(server)) {
      String head = obeys.send("GET /obeys" + asking).readTo("\r\n\r\n");
      assertTrue(head.startsWith("HTTP/1.1 101 "), head);
      assertTrue(stays.send("GET /stays" + asking).readTo("\r\n\r\n").contains(" 101 "));
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      assertEquals("bye", obeys.readToClose());
      closing.get(20, TimeUnit.SECONDS);
      assertEquals(0, server.connections());
    }
  }

  @Test
  void closingGivesUpAtTheDeadline() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    Handler never = (req, res) -> arrived.countDown();
    Server server = serve(options().shutdownTimeout(Duration.ofMillis(50)), never);
    try (RawSocket socket = new RawSocket(server)) {
      socket.send(GET);
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
      server.close();
      assertEquals("", socket.readToClose());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("LIFE-03: a handler that never returns does not block closing")
  void aHandlerThatNeverReturnsDoesNotBlockClosing(ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Handler held =
        (req, res) -> {
          arrived.countDown();
          end.await();
        };
    Server server = serve(options().threads(mode).shutdownTimeout(Duration.ofMillis(50)), held);
    try (RawSocket socket = new RawSocket(server)) {
      socket.send(GET);
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
      assertTimeoutPreemptively(Duration.ofSeconds(12), server::close);
      assertTrue(server.closed().toCompletableFuture().isDone());
    } finally {
      end.countDown();
    }
  }

  @Test
  void requestsSentBeforeClosingAreServedEvenIfTheLoopWasBlocked() throws Exception {
    CountDownLatch standing = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          if (req.path().equals("/hold")) {
            standing.countDown();
            end.await();
          }
          res.end("x");
        };
    Server server = serve(options().threads(ThreadMode.EVENT_LOOP), handler);
    List<RawSocket> idle = new ArrayList<>();
    try (RawSocket holding = new RawSocket(server)) {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        idle.add(new RawSocket(server)); // some of them use the same loop
        idle.get(i).send(GET).readTo("\r\n\r\nx");
      }
      holding.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
      assertTrue(standing.await(20, TimeUnit.SECONDS));
      TimeUnit.MILLISECONDS.sleep(400); // longer than a request may take to arrive
      for (RawSocket socket : idle) {
        socket.send(GET);
      }
      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      while (isListening(server)) {
        Thread.onSpinWait();
      }
      TimeUnit.MILLISECONDS.sleep(80); // the loops have been notified
      end.countDown();
      for (RawSocket socket : idle) {
        socket.readTo("\r\n\r\nx");
      }
      closed.get(20, TimeUnit.SECONDS);
    } finally {
      for (RawSocket socket : idle) {
        socket.close();
      }
    }
  }

  private static boolean isListening(Server server) {
    try {
      new RawSocket(server).close();
      return true;
    } catch (IOException rejected) {
      return false;
    }
  }

  @Test
  @DisplayName("LIFE-01: closing under load loses no request")
  void closingUnderLoadLosesNoRequest() throws Exception {
    AtomicInteger finished = new AtomicInteger();
    Handler handler =
        (req, res) -> {
          res.onFinish(finished::incrementAndGet);
          res.end("x");
        };
    Server server = serve(options(), handler);
    List<CompletableFuture<Integer>> clients = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      clients.add(
          CompletableFuture.supplyAsync(
              () -> askUntilClosed(server), task -> new Thread(task).start()));
    }
    for (int waits = 0; finished.get() < 200 && waits < 4_000; waits++) {
      Thread.sleep(5);
    }
    server.close();
    int answered = 0;
    for (CompletableFuture<Integer> client : clients) {
      answered += client.get(20, TimeUnit.SECONDS);
    }
    assertTrue(answered > 16, answered + " responses");
    assertEquals(answered, finished.get());
  }

  private static int askUntilClosed(Server server) {
    int answered = 0;
    try (RawSocket socket = new RawSocket(server)) {
      boolean open = true;
      while (open) {
        String response = socket.send(GET).readTo("\r\n\r\nx"); // an earlier end is a lost request
        open = !response.contains("Connection: close\r\n");
        answered++;
      }
      return answered;
    } catch (IOException e) {
      throw new AssertionError("request " + (answered + 1) + " was lost", e);
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void virtualThreadsAreRejectedOnAJdkWithoutThem() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> serve(options().threads(ThreadMode.VIRTUAL), (req, res) -> {}));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("threads(\"virtual\"): needs JDK 21"), message);
  }
}
