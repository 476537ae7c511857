package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row WS-14: tests WebSockets whose client disconnects, over TCP. */
final class SocketEndsOverTcpTest {

  private static final String HANDSHAKE =
      """
      GET / HTTP/1.1\r
      Host: localhost\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r
      \r
      """;

  @ParameterizedTest
  @ValueSource(strings = {"default", "pool", "event loop"})
  void sendingToAClosedSocketDoesNotBlock(String mode) throws Exception {
    CompletableFuture<String> sent = new CompletableFuture<>();
    WebSockets step =
        WebSockets.callbacks().onOpen(it -> it.onClose(() -> sent.complete(sendElsewhere(it))));
    ListenOptions options = ListenOptions.ofPort(0);
    options = mode.equals("default") ? options : options.threads(mode);
    try (Server server = Engine.find().listen(Chain.service(new Settings(), step), options)) {
      reset(server);
      assertEquals("ClientDisconnectedException", sent.get(20, TimeUnit.SECONDS));
    }
  }

  /** Opens a WebSocket, and resets its connection. */
  private static void reset(Server server) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', client.getInputStream().read());
      client.setSoLinger(true, 0);
    }
  }

  /** Sends on another thread, as a broadcast does; returns the outcome. */
  private static String sendElsewhere(WebSocket it) {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Thread sender =
        new Thread(
            () -> {
              try {
                outcome.complete("sent by " + it.send("x"));
              } catch (IOException e) {
                outcome.complete(e.getClass().getSimpleName());
              }
            });
    sender.start();
    return outcome.completeOnTimeout("blocked", 5, TimeUnit.SECONDS).join();
  }
}
