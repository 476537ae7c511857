package dev.percolate.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.logger.RequestLogger;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.Talk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How servers of the JDK's engine start, refuse, and end. */
@Timeout(30)
final class JdkServerTest {

  private static final ListenOptions LOCAL = ListenOptions.ofPort(0).host("127.0.0.1");

  private static Server listen(ListenOptions options, Middleware... steps) throws IOException {
    return new JdkEngine().listen(Chain.service(new Settings(), steps), options);
  }

  @Test
  void theEngineIsFoundOnItsOwn() {
    assertTrue(Engine.find() instanceof JdkEngine);
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (Server server = listen(LOCAL)) {
      ListenOptions taken = LOCAL.port(server.port());
      Exception error = assertThrows(IOException.class, () -> listen(taken).close());
      String message = String.valueOf(error.getMessage());
      assertTrue(message.startsWith("port " + server.port() + " of 127.0.0.1: "), message);
    }
  }

  @Test
  void whatTheServerOfTheJdkCannotDoIsRefusedByName() {
    Duration second = Duration.ofSeconds(1);
    assertRefused("threads(\"event loop\")", LOCAL.threads(ThreadMode.EVENT_LOOP));
    assertRefused("headTimeout(PT1S)", LOCAL.headTimeout(second));
    assertRefused("bodyTimeout(PT1S)", LOCAL.bodyTimeout(second));
    assertRefused("idleTimeout(PT1S)", LOCAL.idleTimeout(second));
    assertRefused("writeTimeout(PT1S)", LOCAL.writeTimeout(second));
  }

  private static void assertRefused(String option, ListenOptions options) {
    Exception error = assertThrows(IllegalArgumentException.class, () -> listen(options).close());
    String message = String.valueOf(error.getMessage());
    assertTrue(message.startsWith(option + ": "), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"close", "keep-alive, close", "close, x", "x\r\nConnection: Close", "x, CLOSE"})
  void whatComesBehindARequestThatClosesIsNotAnswered(String options) throws Exception {
    Handler path = (req, res) -> res.send(req.path());
    try (Server server = listen(LOCAL, path);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: " + options + "\r\n\r\n";
      String next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
      socket.getOutputStream().write((last + next).getBytes(StandardCharsets.US_ASCII));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answers.endsWith("\r\n\r\n/last"), answers);
      assertTrue(answers.contains("\r\nConnection: close\r\n"), answers);
    }
  }

  @Test
  void closingWaitsForRequestsThatHaveArrived() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answering = new CountDownLatch(1);
    Handler slow =
        (req, res) -> {
          arrived.countDown();
          answering.await();
          res.send("whole");
        };
    Server server = listen(LOCAL, slow);
    try (Client client = Client.of(server.uri())) {
      Talk talk = Call.get("/").open(client);
      assertTrue(arrived.await(10, TimeUnit.SECONDS));
      CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
      Thread.sleep(300);
      assertTrue(!closed.isDone());
      answering.countDown();
      Reply reply = talk.reply();
      assertEquals("whole", reply.text());
      assertEquals("close", reply.header("Connection"));
      closed.get(10, TimeUnit.SECONDS);
      server.closed().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void closingEndsAtTheDeadlineAndWithoutRequestsAtOnce() throws Exception {
    long begin = System.nanoTime();
    listen(LOCAL).close();
    Server server = listen(LOCAL.drain(Duration.ofMillis(200)), (Handler) (req, res) -> {});
    try (Client client = Client.of(server.uri())) {
      Talk talk = Call.get("/").open(client);
      Thread.sleep(100);
      server.close();
      assertTrue(talk.reply().aborted());
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(millis < 5000, "closed after " + millis + " ms");
  }

  @Test
  void aHeadBeyondTheLimitsIsRefusedAndLogged() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    RequestLogger logger = RequestLogger.of(":method :status").to(lines::add);
    ListenOptions small = LOCAL.maxTarget(100).maxHeaderBytes(256).maxHeaders(3);
    try (Server server = listen(small, logger, (Handler) (req, res) -> res.send("in"));
        Client client = Client.of(server.uri())) {
      assertEquals("in", Call.get("/").to(client).text());
      assertEquals(414, Call.get("/" + "x".repeat(100)).to(client).status());
      Call many = Call.get("/").header("A", "1").header("B", "2").header("C", "3");
      assertEquals(431, many.to(client).status());
      assertEquals(431, Call.get("/").header("A", "x".repeat(250)).to(client).status());
      assertEquals(417, Call.get("/").header("Expect", "wonders").to(client).status());
      assertEquals(400, Call.get("/").header("Host", "a").header("Host", "b").to(client).status());
    }
    assertEquals(
        List.of("GET 200", "GET 400", "GET 414", "GET 417", "GET 431", "GET 431"),
        lines.stream().map(String::strip).sorted().toList());
  }

  @Test
  void aHostThatIsNotKnownIsNamed() {
    Exception error =
        assertThrows(IOException.class, () -> listen(LOCAL.host("no.such.host.invalid")).close());
    assertTrue(String.valueOf(error.getMessage()).startsWith("host(\"no.such.host.invalid\")"));
  }
}
