package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.MessageStream;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestWebSocket;
import dev.percolate.testkit.WebSocketContract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** WebSockets in containers: in Tomcat all of them, in Jetty none. */
@EnabledIfSystemProperty(named = "servlet.sockets", matches = "true")
final class ServletWebSocketsTest {

  private static final WebSockets WAITING = WebSockets.of(ServletWebSocketsTest::echo);
  private static final WebSockets CALLED =
      WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send);

  private static void echo(WebSocket socket) throws Exception {
    for (MessageStream message : socket.streams()) {
      if (message.isText()) {
        socket.send(new String(message.readAllBytes(), StandardCharsets.UTF_8));
      } else {
        socket.send(message.readAllBytes());
      }
    }
  }

  private static Client client(Container.Kind kind, Middleware... steps) throws Exception {
    ServiceServlet servlet = new ServiceServlet(Chain.service(new Settings(), steps));
    Container container = kind.start(true, List.of(), servlet);
    return new ServletContractTest.Owning(container, Client.of(container.uri()));
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  final class WaitingInTomcatTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      return client(Container.Kind.TOMCAT, WAITING.maxMessageSize(most + "b"));
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  final class CalledInTomcatTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      return client(Container.Kind.TOMCAT, CALLED.maxMessageSize(most + "b"));
    }
  }

  @Test
  void jettyRejectsUpgradesWithAMessage() throws Exception {
    try (Client client = client(Container.Kind.JETTY, CALLED);
        TestWebSocket socket = client.webSocket("/")) {
      assertEquals(501, socket.head().status());
      Reply plain = Call.get("/").to(client);
      assertEquals(426, plain.status());
    }
  }

  @Test
  void inTomcatBothLinesAreWrittenAndOtherOriginsAreRejected() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    RequestLogger logger = RequestLogger.of(":url :status :ws-close").to(lines::add);
    try (Client client = client(Container.Kind.TOMCAT, logger, CALLED)) {
      TestWebSocket foreign =
          client.webSocket(Call.get("/foreign").header("Origin", "https://evil.example"));
      assertEquals(403, foreign.head().status());
      assertEquals("/foreign 403 -", next(lines));
      TestWebSocket socket = client.webSocket("/");
      assertEquals("a", socket.send("a").text());
      assertEquals("/ 101 -", next(lines));
      assertEquals(4000, socket.close(4000, "").closeCode());
      socket.awaitEnd();
      assertEquals("/ 101 4000", next(lines));
      TestWebSocket gone = client.webSocket("/gone");
      assertEquals("b", gone.send("b").text());
      assertEquals("/gone 101 -", next(lines));
      gone.disconnect();
      assertEquals("/gone 101 1006", next(lines));
    }
  }

  @Test
  void aServletThatIsDestroyedClosesItsSocketsWith1001() throws Exception {
    ServiceServlet servlet = new ServiceServlet(Chain.service(new Settings(), WAITING));
    try (Container container = Container.Kind.TOMCAT.start(true, List.of(), servlet);
        Client client = Client.of(container.uri())) {
      TestWebSocket socket = client.webSocket("/");
      assertEquals("a", socket.send("a").text());
      servlet.destroy();
      assertEquals(1001, socket.closeCode());
      assertTrue(socket.closeReason().contains("stops"), socket::closeReason);
    }
  }

  private static String next(BlockingQueue<String> lines) throws InterruptedException {
    return String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip();
  }
}
