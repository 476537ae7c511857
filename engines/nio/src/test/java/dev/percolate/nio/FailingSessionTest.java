package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.Logged;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.ProtocolHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sessions that cannot be opened, or that fail in {@link ProtocolHandler#begin}. */
@Timeout(60)
final class FailingSessionTest {

  private static final String PREFACE = "FAIL\n";

  private final Service service =
      Chain.service(new Settings(), (Middleware) (req, res, next) -> res.send("in"));

  static Stream<Throwable> failures() {
    return Stream.of(
        new NoClassDefFoundError("org/example/Missing"),
        new OutOfMemoryError("simulated"),
        new StackOverflowError(),
        new IllegalStateException("simulated"),
        new IOException("simulated, not declared"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aSessionThatCannotBeOpenedIsClosedAndLoggedOnce(Throwable failure) throws Exception {
    Function<ProtocolConnection, ProtocolHandler> opening =
        connection -> {
          throw sneaky(failure);
        };
    assertIsClosedAndLoggedOnce(opening);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aSessionThatFailsWhenItBeginsIsClosedAndLoggedOnce(Throwable failure) throws Exception {
    assertIsClosedAndLoggedOnce(connection -> new Beginning(failure));
  }

  private void assertIsClosedAndLoggedOnce(Function<ProtocolConnection, ProtocolHandler> opening)
      throws Exception {
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .http2PriorKnowledge(true)
            .bodyTimeout(Duration.ofMillis(80)); // so that connections are checked each 20 ms
    Protocol failing = new Failing(opening);
    try (Logged log = new Logged("dev.percolate.nio");
        Server server = NioServer.start(service, options, LoopThreads.PLATFORM, () -> failing)) {
      for (int clients = 1; clients <= 3; clients++) {
        try (RawSocket socket = new RawSocket(server)) {
          assertEquals("", socket.send(PREFACE).readToClose());
        }
        awaitNoConnection(server);
        lookAtAllConnections(server);
        assertEquals(clients, log.messages().size(), log.messages()::toString);
      }
    }
  }

  /** Waits until all connections have been checked several times. */
  private static void lookAtAllConnections(Server server) throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nin");
    }
    TimeUnit.MILLISECONDS.sleep(80);
  }

  private static void awaitNoConnection(Server server) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.connections() > 0) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable failure) throws T {
    throw (T) failure;
  }

  private record Failing(Function<ProtocolConnection, ProtocolHandler> opening)
      implements Protocol {

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public byte[] preface() {
      return PREFACE.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public ProtocolHandler open(ProtocolConnection connection) {
      return opening.apply(connection);
    }
  }

  private record Beginning(Throwable failure) implements ProtocolHandler {

    @Override
    public void begin() {
      throw sneaky(failure);
    }

    @Override
    public void take(byte[] bytes, int from, int to) {}

    @Override
    public int mostRead() {
      return 0;
    }

    @Override
    public void goOn() {}

    @Override
    public void flushed() {}

    @Override
    public void check(long now) {}

    @Override
    public void endInput() {}

    @Override
    public boolean isIdle() {
      return false;
    }

    @Override
    public void closed() {}
  }
}
