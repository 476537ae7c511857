package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections of clients that take too long are closed. */
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#slow")
final class TimeoutTest extends ServerFixture {

  private static final Duration SHORT = Duration.ofMillis(200);

  @Test
  void aHeadThatDoesNotEndTimesOut() throws Exception {
    try (Server server =
            serve(
                options().headerTimeout(SHORT).idleTimeout(Duration.ofSeconds(60)),
                (req, res) -> res.end());
        RawSocket socket = new RawSocket(server)) {
      assertEquals("", socket.send("GET / HTTP/1.1\r\nHo").readToClose());
    }
  }

  @Test
  void aMissingHeadTimesOutAsEarly() throws Exception {
    try (Server server =
            serve(
                options().headerTimeout(SHORT).idleTimeout(Duration.ofSeconds(60)),
                (req, res) -> res.end());
        RawSocket socket = new RawSocket(server)) {
      assertEquals("", socket.readToClose());
    }
  }

  @Test
  @DisplayName("DOS-01: a head that trickles in times out")
  void aHeadThatTricklesInTimesOut() throws Exception {
    try (Server server =
            serve(
                options().headerTimeout(SHORT).idleTimeout(Duration.ofSeconds(60)),
                (req, res) -> res.end());
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET / HTTP/1.1\r\n");
      CompletableFuture<Void> dripping =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < 100; i++) {
                    socket.send("X");
                    Thread.sleep(20);
                  }
                } catch (IOException | InterruptedException e) {
                  // closed, as expected
                }
              });
      String response;
      try {
        response = socket.readToClose();
      } catch (IOException reset) {
        response = "";
      }
      assertEquals("", response);
      dripping.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void theTimeoutOfAHeadBeginsWithItsFirstByte() throws Exception {
    Duration time = Duration.ofSeconds(1);
    try (Server server =
            serve(
                options().headerTimeout(time).idleTimeout(Duration.ofSeconds(60)),
                (req, res) -> res.end("x"));
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nx");
      Thread.sleep(time.toMillis() * 3 / 2); // the head timeout does not apply here
      socket.send("GET / HTTP/1.1\r\n");
      Thread.sleep(time.toMillis() / 2);
      socket.send("Host: a\r\n\r\n").readTo("\r\n\r\nx");
    }
  }

  @Test
  @DisplayName("DOS-04: a connection without a request is closed")
  void aConnectionWithoutARequestIsClosed() throws Exception {
    try (Server server = serve(options().idleTimeout(SHORT), (req, res) -> res.end("x"));
        RawSocket socket = new RawSocket(server)) {
      assertTrue(
          socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readToClose().endsWith("\r\n\r\nx"));
    }
  }

  @Test
  void aConnectionIsNotIdleWhileAHandlerRuns() throws Exception {
    ListenOptions all = options().idleTimeout(SHORT).bodyTimeout(SHORT).writeTimeout(SHORT);
    Handler slow =
        (req, res) -> {
          Thread.sleep(SHORT.toMillis() * 3);
          res.end("at last");
        };
    try (Server server = serve(all, slow);
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nat last");
    }
  }

  @Test
  @DisplayName("DOS-05: a missing body is 408")
  void aMissingBodyIs408() throws Exception {
    Handler reading = (req, res) -> res.end("read " + req.inputStream().readAllBytes().length);
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    ErrorHandler errors =
        (error, req, res, next) -> {
          seen.complete(error);
          next.fail(error);
        };
    Service service = Chain.service(new Settings(), reading, errors);
    try (Server server = engine().listen(service, options().bodyTimeout(SHORT));
        RawSocket socket = new RawSocket(server)) {
      socket.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
      String response = socket.readToClose();
      assertTrue(response.startsWith("HTTP/1.1 408 "), response);
      assertTrue(response.contains("Connection: close\r\n"), response);
      assertEquals(408, ((HttpError) seen.get(20, TimeUnit.SECONDS)).status());
    }
  }

  @Test
  @DisplayName("DOS-03: a client that reads nothing is disconnected")
  void aClientThatReadsNothingIsDisconnected() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Handler flooding =
        (req, res) -> {
          byte[] piece = new byte[64 << 10];
          try {
            while (true) {
              res.write(piece);
            }
          } catch (IOException e) {
            failure.complete(e);
          }
        };
    try (Server server = serve(options().writeTimeout(SHORT), flooding);
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      failure.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aClientThatReadsALongResponseSlowlyStaysConnected() throws Exception {
    byte[] page = new byte[16 << 20]; // more than the socket buffers hold
    try (Server server =
            serve(options().writeTimeout(Duration.ofSeconds(2)), (req, res) -> res.end(page));
        RawSocket socket = withSmallBuffer(server)) {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\n");
      int piece = page.length / 40;
      int taken = 0;
      for (int left = page.length; left > 0; left -= piece) {
        taken += socket.read(Math.min(piece, left)).length();
        Thread.sleep(100);
      }
      assertEquals(page.length, taken);
    }
  }

  /** Connects a client that tells the server soon about each piece that it has read. */
  private static RawSocket withSmallBuffer(Server server) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(64 << 10);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    return new RawSocket(socket) {};
  }
}
