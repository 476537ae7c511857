package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.framework.App;
import dev.percolate.http.Headers;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocketGroup;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that callbacks that throw leak no slots, members or counts, and that the process ends. */
@Timeout(120)
final class ThrowingCallbacksTest {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  private final LogCapture log = new LogCapture();

  static Stream<ThreadMode> modes() {
    return Stream.of(ThreadMode.values())
        .filter(mode -> mode != ThreadMode.VIRTUAL || VirtualThreads.available());
  }

  @AfterEach
  void printAgain() {
    log.close();
  }

  @DisplayName("WS-15: sockets whose close callback throws leak no request slots or groups")
  @ParameterizedTest
  @MethodSource("modes")
  void socketsWhoseCloseCallbackThrowsLeakNoRequestSlotsOrGroups(ThreadMode mode) throws Exception {
    Fault fault = new Fault();
    WebSocketGroup group = new WebSocketGroup();
    App app = new App();
    app.get("/plain", HttpProvocations.handler((req, res) -> res.end()));
    app.get(
        "/socket",
        WebSockets.callbacks()
            .maxPerClient(5)
            .onOpen(socket -> socket.onClose(fault::run))
            .onText((socket, text) -> group.join(socket).send(text))
            .onClose((socket, code, reason) -> fault.run()));
    try (Server server = app.listen(options(mode).maxConcurrentRequests(20));
        Client client = Client.of(server)) {
      for (int i = 0; i < 30; i++) {
        try (TestWebSocket talk = client.webSocket("/socket")) {
          talk.send("hello");
          assertEquals("hello", talk.text());
        }
        await(() -> group.size() == 0, "an empty group");
      }
      assertEquals(200, Call.get("/plain").to(client).status());
      await(() -> server.connections() == 0, "the end of all connections");
    }
    assertFalse(log.contains(LogCapture.UNFINISHED));
    assertEquals(60, fault.raised().size());
  }

  @DisplayName("WS-15: a socket whose open callback throws an error is closed and released")
  @ParameterizedTest
  @MethodSource("modes")
  void socketWhoseOpenCallbackThrowsAnErrorIsClosedAndReleased(ThreadMode mode) throws Exception {
    App app = new App();
    app.get(
        "/socket",
        WebSockets.callbacks()
            .maxPerClient(1)
            .onOpen(
                socket -> {
                  throw new StackOverflowError();
                }));
    try (Server server = app.listen(options(mode));
        Client client = Client.of(server)) {
      for (int i = 0; i < 5; i++) {
        try (TestWebSocket talk = client.webSocket("/socket")) {
          assertEquals(1011, talk.closeCode());
        }
        await(() -> server.connections() == 0, "the end of the connection");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("modes")
  void subscriberThatThrowsKeepsNoMessageFromSenderOthersAndPages(ThreadMode mode)
      throws Exception {
    Fault fault = new Fault();
    Topic<Integer> topic = Topic.of(Integer.class).history(10);
    List<Integer> heard = new CopyOnWriteArrayList<>();
    App app = new App();
    app.get("/events", topic.events());
    app.onClose(topic.subscribe(number -> fault.run()));
    app.onClose(topic.subscribe(heard::add));
    try (Server server = app.listen(options(mode));
        Client client = Client.of(server);
        TestEventStream page = client.events("/events")) {
      assertEquals(200, page.head().status());
      for (int i = 0; i < 5; i++) {
        assertTrue(topic.publish(i) > 0);
      }
      assertEquals(List.of(0, 1, 2, 3, 4), heard);
      for (int i = 0; i < 5; i++) {
        assertEquals(Integer.toString(i), page.data());
      }
    }
    fault.raised().forEach(one -> assertEquals(1, log.linesOf(one)));
  }

  @Test
  void subscriberSkipsMessageThatDoesNotFitItsType() throws Exception {
    MemoryTopics bus = MemoryTopics.of();
    Topic<Integer> topic = Topic.of(Integer.class).name("numbers").bus(bus);
    List<Integer> heard = new CopyOnWriteArrayList<>();
    AutoCloseable open = topic.subscribe(heard::add);
    long first = topic.publish(1);
    long other = bus.publish("numbers", "{\"of\":\"another version\"}", 0);
    assertTrue(other > first);
    assertTrue(topic.publish(2) > other);
    open.close();
    assertEquals(List.of(1, 2), heard);
    assertTrue(log.contains("a subscriber of the topic numbers failed"));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void drainHookThatThrowsKeepsNeitherOthersNorTheServerFromEnding(ThreadMode mode)
      throws Exception {
    Fault fault = new Fault();
    AtomicInteger ran = new AtomicInteger();
    App app = new App();
    app.onClose(ran::incrementAndGet);
    app.onClose(fault::run);
    app.get(
        "/",
        HttpProvocations.handler(
            (req, res) -> {
              for (int i = 0; i < 10; i++) {
                Runnable unused = req.onShutdown(i % 2 == 0 ? fault::run : ran::incrementAndGet);
              }
              res.end();
            }));
    Server server = app.listen(options(mode));
    try (Client client = Client.of(server)) {
      assertEquals(200, Call.get("/").to(client).status());
    }
    server.close();
    assertEquals(6, ran.get());
    assertEquals(6, fault.raised().size());
    fault.raised().forEach(one -> assertEquals(1, log.linesOf(one)));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void serviceWhoseMethodsAllThrowLeaksNothing(ThreadMode mode) throws Exception {
    Fault fault = new Fault();
    Service service =
        new Service() {
          @Override
          public void serve(Exchange exchange) {
            if (exchange.target().equals("/end")) {
              exchange.onEnd(failure -> fault.run());
              exchange.start(204, new Headers());
              exchange.end(ByteBuffer.allocate(0));
            } else {
              exchange.abort();
              fault.run();
            }
          }

          @Override
          public void onRejected(Exchange exchange, int status, Headers headers) {
            fault.run();
          }

          @Override
          public void onShutdown() {
            fault.run();
          }
        };
    try (Server server = Engine.find().listen(service, options(mode).maxConcurrentRequests(2));
        Client client = Client.of(server)) {
      for (int i = 0; i < 10; i++) {
        int before = fault.raised().size();
        assertEquals(204, Call.get("/end").to(client).status());
        await(() -> fault.raised().size() > before, "the callback of the end");
        assertEquals(414, Call.get("/" + "u".repeat(20_000)).to(client).status());
        await(() -> server.connections() == 0, "the end of the connections");
      }
    }
    assertFalse(log.contains(LogCapture.UNFINISHED));
    assertEquals(21, fault.raised().size());
    fault.raised().forEach(one -> assertEquals(1, log.linesOf(one)));
  }

  /** Runs a separate process: see {@link ThrowingServer}. */
  @ParameterizedTest
  @ValueSource(strings = {"close", "exit"})
  void processEndsThoughHooksOfItsServerThrow(String how) throws Exception {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder command =
        new ProcessBuilder(
                java.toString(), "-XX:TieredStopAtLevel=1", ThrowingServer.class.getName(), how)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("CLASSPATH", classes);
    Process process = command.start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the process is still running");
      assertEquals(ThrowingServer.STATUS, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }

  private static ListenOptions options(ThreadMode mode) {
    return ListenOptions.ofPort(0).host("127.0.0.1").threads(mode);
  }

  private static void await(BooleanSupplier there, String what) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "timeout while waiting for " + what);
      Thread.sleep(2);
    }
  }
}
