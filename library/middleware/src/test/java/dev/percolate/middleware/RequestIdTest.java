package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.logger.RequestLogger;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdTest {

  private static final String HEADER = "X-Request-Id";

  private final Lint lint = new Lint();
  private final Settings settings = new Settings();
  private final Handler tells =
      (req, res) -> res.send(req.attr(Request.ID) + " " + RequestId.current());

  @Test
  void theIdIsInTheAttributeTheThreadAndTheResponse() {
    Reply reply = ask(RequestId.of(), Call.get("/"));
    String id = reply.header(HEADER);
    assertEquals(36, String.valueOf(id).length());
    assertEquals(id + " " + id, reply.text());
    assertNotEquals(id, ask(RequestId.of(), Call.get("/")).header(HEADER));
    assertNull(RequestId.current());
  }

  @Test
  void keepsTheIdOfATrustedProxy() {
    settings.set(Settings.TRUST_PROXY, "loopback");
    assertEquals("a-1 a-1", ask(RequestId.of(), Call.get("/").header(HEADER, "a-1")).text());
  }

  @Test
  void ignoresTheIdOfAnUntrustedClient() {
    Reply reply = ask(RequestId.of(), Call.get("/").header(HEADER, "a-1"));
    assertNotEquals("a-1", reply.header(HEADER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "<script>", "é", "", "a\"b", "a,b"})
  void ignoresAnIdWithInvalidCharacters(String sent) {
    settings.set(Settings.TRUST_PROXY, "loopback");
    Reply reply = ask(RequestId.of(), Call.get("/").header(HEADER, sent));
    assertEquals(36, String.valueOf(reply.header(HEADER)).length());
  }

  @Test
  void ignoresAnIdThatIsTooLong() {
    settings.set(Settings.TRUST_PROXY, "loopback");
    String longest = "x".repeat(128);
    assertEquals(
        longest, ask(RequestId.of(), Call.get("/").header(HEADER, longest)).header(HEADER));
    Reply reply = ask(RequestId.of(), Call.get("/").header(HEADER, longest + "x"));
    assertEquals(36, String.valueOf(reply.header(HEADER)).length());
  }

  @Test
  void theHeaderAndTheGeneratorAreConfigurable() {
    Reply reply = ask(RequestId.of().header("X-Id").generator(() -> "7"), Call.get("/"));
    assertEquals("7", reply.header("X-Id"));
    assertThrows(IllegalArgumentException.class, () -> RequestId.of().header("a b"));
  }

  @Test
  void anErrorPageHasTheId() {
    Handler fails =
        (req, res) -> {
          throw new IllegalStateException("x");
        };
    Reply reply =
        Call.get("/").to(Chain.service(settings, RequestId.of().generator(() -> "7"), fails));
    assertEquals("500 7", reply.status() + " " + reply.header(HEADER));
    assertTrue(reply.complete());
  }

  @Test
  void logLinesOfRejectedAndAbandonedRequestsHaveTheId() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    CountDownLatch entered = new CountDownLatch(1);
    Service service =
        Chain.service(
            settings,
            RequestId.of().generator(() -> "7"),
            RequestLogger.of(":request-id :url :status").to((String line) -> lines.add(line)),
            (req, res, next) -> entered.countDown());
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(service)) {
      engine.reject(service, Call.get("/refused"), 431);
      assertEquals("7 /refused 431\n", lines.poll(10, TimeUnit.SECONDS));
      TestConnection connection = Call.get("/given-up").open(client);
      assertTrue(entered.await(10, TimeUnit.SECONDS));
      connection.disconnect();
      assertEquals("7 /given-up -\n", lines.poll(10, TimeUnit.SECONDS));
    }
  }

  private Reply ask(RequestId step, Call call) {
    Reply reply =
        call.to(lint.service(Chain.service(settings, lint.around(step), lint.around(tells))));
    lint.check();
    return reply;
  }
}
