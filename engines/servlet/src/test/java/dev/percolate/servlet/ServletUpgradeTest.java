package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.logger.RequestLogger;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import jakarta.servlet.Filter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that containers upgrade, or must not upgrade. */
@Timeout(30)
final class ServletUpgradeTest {

  private static final ByteBuffer NEWS = StandardCharsets.US_ASCII.encode("news");
  private static final Call ASKING =
      Call.get("/").header("Connection", "Upgrade").header("Upgrade", "echo");

  /** Upgrades its connections if possible, and responds otherwise. */
  private record HandingOver(Consumer<Exchange> taker) implements Service {

    @Override
    public void serve(Exchange exchange) {
      if (exchange.upgradable()) {
        exchange.upgrade(Headers.of("Upgrade", "echo"), () -> taker.accept(exchange));
      } else {
        exchange.start(200, new Headers());
        exchange.end(ByteBuffer.wrap(new byte[] {'n', 'o'}));
      }
    }

    @Override
    public void onRejected(Exchange exchange, int status, Headers headers) {}
  }

  private static void echo(Exchange exchange) {
    exchange.read((piece, failure) -> sendBack(exchange, piece));
  }

  private static void sendBack(Exchange exchange, @Nullable ByteBuffer piece) {
    if (piece == null) {
      exchange.end(ByteBuffer.allocate(0));
    } else {
      exchange.write(piece, any -> exchange.executor().execute(() -> echo(exchange)));
    }
  }

  private static Container start(boolean async, List<Filter> filters, Consumer<Exchange> taker)
      throws Exception {
    return Container.Kind.TOMCAT.start(async, filters, new ServiceServlet(new HandingOver(taker)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServletBehindAFilterOfMiddlewareHandsItsConnectionOver(boolean async) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    MiddlewareFilter filter =
        new MiddlewareFilter(RequestLogger.of(":method :url :status").to(lines::add));
    try (Container container = start(async, List.of(filter), ServletUpgradeTest::echo);
        Client client = Client.of(container.uri())) {
      ASKING.open(client).send("to and").await("to and").send(" fro").await(" fro");
    }
    assertEquals(List.of("GET / 101"), lines.stream().map(String::strip).toList());
  }

  @ParameterizedTest
  @EnumSource
  void noContainerParsesHttpAfterAnUpgrade(Container.Kind kind) throws Exception {
    Filter reading =
        (req, res, chain) -> {
          assertEquals(-1, req.getInputStream().read());
          chain.doFilter(req, res);
        };
    Service service = new HandingOver(ServletUpgradeTest::echo);
    try (Container container = kind.start(true, List.of(reading), new ServiceServlet(service));
        Client client = Client.of(container.uri())) {
      TestConnection connection = ASKING.open(client);
      connection.head();
      connection.send("GET /behind HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n[last]");
      Reply reply =
          kind == Container.Kind.TOMCAT ? connection.await("[last]").head() : connection.reply();
      assertFalse(reply.text().contains("HTTP/1.1 "), reply::text);
    }
  }

  @Test
  void writesAreSentDuringAPendingRead() throws Exception {
    CompletableFuture<Exchange> held = new CompletableFuture<>();
    CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
    Consumer<Exchange> taker =
        exchange -> {
          exchange.read((piece, failure) -> end.complete(failure));
          held.complete(exchange);
        };
    try (Container container = start(true, List.of(), taker);
        Client client = Client.of(container.uri())) {
      TestConnection connection = ASKING.open(client);
      Exchange exchange = held.get(10, TimeUnit.SECONDS);
      exchange.executor().execute(() -> exchange.write(NEWS.duplicate(), any -> {}));
      connection.await("news");
      exchange.abort();
      assertInstanceOf(ClientDisconnectedException.class, end.get(10, TimeUnit.SECONDS));
      assertEquals("news", connection.reply().text());
    }
  }

  @Test
  void aClientThatSendsNoMoreStillGetsWhatIsWritten() throws Exception {
    Consumer<Exchange> taker =
        exchange ->
            exchange.read(
                (piece, failure) -> exchange.end(piece == null ? NEWS.duplicate() : piece));
    try (Container container = start(true, List.of(), taker);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), container.uri().getPort())) {
      String head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      byte[] response = socket.getInputStream().readAllBytes();
      String text = new String(response, StandardCharsets.US_ASCII);
      assertTrue(text.endsWith("\r\n\r\nnews"), text);
    }
  }
}
