package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.RawSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses before the body has been read, and other problems with bodies. */
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#slow")
final class UnreadBodyTest extends ServerFixture {

  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

  private static void elsewhere(Runnable task) {
    new Thread(task, "elsewhere").start();
  }

  @Test
  void aWaitForTheBodyEndsWhenAnotherThreadResponds() throws Exception {
    CompletableFuture<Throwable> woken = new CompletableFuture<>();
    CompletableFuture<Boolean> finished = new CompletableFuture<>();
    Handler reading =
        (req, res) -> {
          res.onFinish(() -> finished.complete(res.finished()));
          elsewhere(() -> res.status(503).end("enough"));
          try {
            req.inputStream().readAllBytes();
          } catch (IOException e) {
            woken.complete(e);
          }
        };
    try (Server server = serve(options(), reading);
        RawSocket socket = new RawSocket(server)) {
      socket.send(POST + "Content-Length: 100\r\n\r\n0123456789");
      assertTrue(socket.readToClose().endsWith("\r\n\r\nenough"));
      assertInstanceOf(IOException.class, woken.get(20, TimeUnit.SECONDS));
      assertTrue(finished.get(20, TimeUnit.SECONDS));
    }
  }

  @DisplayName("DOS-16: an endless upload is not read for long after the response")
  @Test
  void anEndlessUploadIsNotReadForLongAfterTheResponse() throws Exception {
    Handler early = (req, res) -> res.status(413).end("too large");
    long begun = System.nanoTime();
    try (Server server = serve(options().lingerTimeout(Duration.ofSeconds(1)), early);
        RawSocket socket = new RawSocket(server)) {
      socket.send(POST + "Content-Length: 100000000000\r\n\r\n").readTo("\r\n\r\ntoo large");
      String piece = "x".repeat(1 << 20);
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              socket.send(piece);
            }
          });
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    assertTrue(seconds < 30, seconds + " s");
  }

  @Test
  void aClientThatReadsAfterItsUploadGetsTheEarlyResponse() throws Exception {
    Handler early = (req, res) -> res.status(413).end("too large");
    String piece = "x".repeat(1 << 20);
    int pieces = 50;
    try (Server server = serve(options(), early)) {
      try (RawSocket socket = new RawSocket(server)) {
        socket.send(POST + "Content-Length: " + pieces * piece.length() + "\r\n\r\n");
        for (int i = 0; i < pieces; i++) {
          socket.send(piece);
        }
        assertTrue(socket.readToClose().endsWith("\r\n\r\ntoo large"));
      }
      try (RawSocket socket = new RawSocket(server)) {
        socket.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < pieces; i++) {
          socket.send("100000\r\n").send(piece).send("\r\n");
        }
        assertTrue(socket.send("0\r\n\r\n").readToClose().contains("\r\n\r\ntoo large"));
      }
    }
  }

  @Test
  void aClientThatTricklesAfterTheLastResponseIsDisconnected() throws Exception {
    Handler early = (req, res) -> res.status(413).end("too large");
    try (Server server = serve(options(), early);
        RawSocket socket = new RawSocket(server)) {
      socket.send(POST + "Content-Length: 50000000\r\n\r\n").readTo("\r\n\r\ntoo large");
      long begun = System.nanoTime();
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              socket.send("x");
              Thread.sleep(200);
            }
          });
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      assertTrue(seconds < 20, seconds + " s");
    }
  }

  @Test
  void aConnectionPausedByAnUnreadBodyServesTheNextRequest() throws Exception {
    int size = (64 << 10) + 1; // its last byte pauses the connection and ends the body
    Handler late =
        (req, res) -> {
          Thread.sleep(req.hasBody() ? 80 : 0);
          res.end(req.method());
        };
    try (Server server = serve(options(), late);
        RawSocket socket = new RawSocket(server)) {
      socket.send(POST + "Content-Length: " + size + "\r\n\r\n" + "x".repeat(size));
      socket.readTo("\r\n\r\nPOST");
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nGET");
    }
  }

  @Test
  void theTimeOfASlowServerDoesNotCountAgainstTheClient() throws Exception {
    Handler late =
        (req, res) -> {
          Thread.sleep(800);
          res.end("read " + req.inputStream(1 << 23).readAllBytes().length);
        };
    int size = 4 << 20;
    try (Server server = serve(options().bodyTimeout(Duration.ofMillis(200)), late)) {
      try (RawSocket socket = new RawSocket(server)) {
        elsewhere(() -> sendAll(socket, POST + "Content-Length: " + size + "\r\n\r\n", size));
        assertTrue(socket.readTo("read " + size).startsWith("HTTP/1.1 200 "));
      }
      try (RawSocket socket = new RawSocket(server)) {
        socket.send(POST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", socket.readTo("\r\n\r\n"));
        socket.send("abc").readTo("read 3");
      }
      try (RawSocket socket = new RawSocket(server)) {
        socket.send("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc");
        String response = socket.readTo("read 3");
        assertTrue(response.matches("(?s)HTTP/1\\.[01] 200 .*"), response); // HTTP/1.0 has no 100
      }
    }
  }

  private static void sendAll(RawSocket socket, String head, int size) {
    try {
      socket.send(head).send("x".repeat(size));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void onlyTheEngineFramesTheResponse() throws Exception {
    Handler framing =
        (req, res) -> res.set("Transfer-Encoding", "chunked").set("X-Kept", "1").send("body");
    try (Server server = serve(options(), framing);
        RawSocket socket = new RawSocket(server)) {
      String response = socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nbody");
      assertFalse(response.contains("Transfer-Encoding"), response);
      assertTrue(response.contains("Content-Length: 4\r\n"), response);
      assertTrue(response.contains("X-Kept: 1\r\n"), response);
    }
  }

  @Test
  void closingFromTheEventLoopIsRejected() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CompletableFuture<Server> self = new CompletableFuture<>();
    Handler closing =
        (req, res) -> {
          try {
            self.join().close();
          } catch (IllegalStateException e) {
            thrown.complete(e);
          }
          res.end("x");
        };
    try (Server server = serve(options().threads(ThreadMode.EVENT_LOOP), closing);
        RawSocket socket = new RawSocket(server)) {
      self.complete(server);
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nx");
      String message = String.valueOf(thrown.get(20, TimeUnit.SECONDS).getMessage());
      assertTrue(message.startsWith("close() must not be called"), message);
    }
  }
}
