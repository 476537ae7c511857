package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** More clients or requests than the limits allow. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#all")
final class CrowdTest extends ServerFixture {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String LAST_GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  private static final Handler OK = (req, res) -> res.end("ok");

  @Test
  void connectionsBeyondTheLimitAreClosedAndOthersContinue() throws Exception {
    try (Server server = serve(options().maxConnections(2), OK);
        RawSocket first = new RawSocket(server)) {
      first.send(GET).readTo("ok");
      try (RawSocket second = new RawSocket(server)) {
        second.send(GET).readTo("ok");
        assertTrue(isRejected(server));
        first.send(GET).readTo("ok");
      }
      awaitAdmitted(server);
    }
  }

  @Test
  void connectionsOfAnAddressBeyondItsLimitAreClosed() throws Exception {
    try (Server server = serve(options().maxConnectionsPerAddress(1), OK)) {
      try (RawSocket first = new RawSocket(server)) {
        first.send(GET).readTo("ok");
        assertTrue(isRejected(server));
      }
      awaitAdmitted(server);
    }
  }

  @Test
  void requestsBeyondTheLimitGet503() throws Exception {
    CompletableFuture<Void> entered = new CompletableFuture<>();
    CountDownLatch leave = new CountDownLatch(1);
    Handler blocking =
        (req, res) -> {
          entered.complete(null);
          leave.await();
          res.end("ok");
        };
    try (Server server = serve(options().maxConcurrentRequests(1), blocking);
        RawSocket first = new RawSocket(server);
        RawSocket second = new RawSocket(server)) {
      first.send(GET);
      entered.get(20, TimeUnit.SECONDS);
      String rejected = second.send(GET).readToClose();
      assertTrue(rejected.startsWith("HTTP/1.1 503 "), rejected);
      assertTrue(rejected.contains("Retry-After: 1\r\n"), rejected);
      leave.countDown();
      first.readTo("ok");
    }
  }

  @Test
  @DisplayName("DOS-06: the server stops reading from a client that pipelines and reads nothing")
  void theServerStopsReadingFromAClientThatReadsNothing() throws Exception {
    AtomicInteger answered = new AtomicInteger();
    byte[] page = new byte[16 << 10];
    Handler counting =
        (req, res) -> {
          answered.incrementAndGet();
          res.end(page);
        };
    try (Server server = serve(options(), counting);
        RawSocket socket = new RawSocket(server)) {
      Thread sending =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 1_000; i++) {
                    socket.send(GET.repeat(100));
                  }
                } catch (IOException closed) {
                  // at the end of the test
                }
              });
      sending.start();
      int seen = 0;
      int same = 0; // how often there was no further response
      while (same < 8 && seen < 1_000) {
        TimeUnit.MILLISECONDS.sleep(10);
        int now = answered.get();
        same = now > 0 && now == seen ? same + 1 : 0;
        seen = now;
      }
      assertTrue(seen < 1_000, seen + " responses of 16 KiB wait for the client");
    }
  }

  @Test
  void closingWaitsForARequestThatBeganWhenItsClientDisconnected() throws Exception {
    CompletableFuture<Void> entered = new CompletableFuture<>();
    CountDownLatch leave = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          if (req.path().equals("/page")) {
            res.end(new byte[32 << 20]);
          } else {
            entered.complete(null);
            leave.await();
          }
        };
    try (Server server = serve(options(), handler)) {
      try (RawSocket socket = new RawSocket(server)) {
        socket.send("GET /page HTTP/1.1\r\nHost: a\r\n\r\n" + GET).readTo("\r\n\r\n");
        TimeUnit.MILLISECONDS.sleep(80);
        assertFalse(entered.isDone(), "the request must wait until the page has been read");
      }
      entered.get(20, TimeUnit.SECONDS);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      while (!server.isShuttingDown()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      TimeUnit.MILLISECONDS.sleep(80);
      assertFalse(closing.isDone(), "closing must wait for the handler");
      leave.countDown();
      closing.get(20, TimeUnit.SECONDS);
    } finally {
      leave.countDown();
    }
  }

  private static boolean isRejected(Server server) throws IOException {
    try (RawSocket socket = new RawSocket(server)) {
      return socket.send(LAST_GET).readToClose().isEmpty();
    } catch (IOException reset) {
      return true;
    }
  }

  private static void awaitAdmitted(Server server) throws Exception {
    while (isRejected(server)) {
      TimeUnit.MILLISECONDS.sleep(1); // ends at the test's timeout
    }
  }
}
