package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ForwardingExchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An upgraded connection has a line at the upgrade, and another one when it has ended. */
final class UpgradedLineTest {

  /** Ends the connection at the first bytes, with this outcome. */
  private static final Handler HANDS_OVER =
      (req, res) -> {
        res.set("Upgrade", "echo");
        res.upgrade(
            connection -> {
              connection.onEnd(
                  () -> connection.closed(new ConnectionSummary(1000, "bye", 2, 3, 40, 50)));
              connection.read((piece, failure) -> connection.end(ByteBuffer.allocate(0)));
            });
      };

  private static List<String> lines(RequestLogger logger) throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    try (MemoryClient client =
        MemoryClient.of(Chain.service(new Settings(), logger.to(lines::add), HANDS_OVER))) {
      Call call = Call.get("/x").header("Connection", "Upgrade").header("Upgrade", "echo");
      TestConnection talk = client.open(call);
      assertEquals(101, talk.head().status());
      String first = String.valueOf(lines.poll(10, TimeUnit.SECONDS));
      talk.send("x");
      return List.of(first.strip(), String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"combined", "common", "short", "tiny", "dev", ":method :url :status"})
  void theSecondLineShowsHowTheConnectionEnded(String format) throws Exception {
    List<String> lines = lines(RequestLogger.of(format));
    assertTrue(lines.get(0).contains("101"), lines::toString);
    String end = " closed 1000, in 2/40, out 3/50, ";
    assertTrue(lines.get(1).contains(end), lines::toString);
    assertTrue(lines.get(1).matches(".* \\d+ ms"), lines::toString);
    assertEquals(-1, lines.get(0).indexOf("closed"));
  }

  @Test
  void aFormatWithTheTokensShowsThemInPlace() throws Exception {
    List<String> lines =
        lines(
            RequestLogger.of(
                ":url :ws-close :ws-messages-in :ws-messages-out :ws-bytes-in :ws-bytes-out"));
    assertEquals(List.of("/x - - - - -", "/x 1000 2 3 40 50"), lines);
  }

  @Test
  void structuredLinesHaveFieldsForTheEnd() throws Exception {
    List<String> json = lines(RequestLogger.of(StructuredFormat.json().fields("method", "status")));
    assertEquals("{\"method\":\"GET\",\"status\":101}", json.get(0));
    String numbers =
        "{\"method\":\"GET\",\"status\":101,\"ws_close\":1000,\"ws_messages_in\":2,"
            + "\"ws_messages_out\":3,\"ws_bytes_in\":40,\"ws_bytes_out\":50,\"total_time\":";
    assertTrue(json.get(1).startsWith(numbers), json::toString);
    List<String> text = lines(RequestLogger.of(StructuredFormat.logfmt().fields("ws-close")));
    assertEquals("", text.get(0));
    assertTrue(text.get(1).startsWith("ws_close=1000 ws_messages_in=2 "), text::toString);
  }

  @Test
  void bothLinesHaveTheSameStatusIfTheClientLeavesDuringTheUpgrade() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    AtomicBoolean lost = new AtomicBoolean();
    RequestLogger logger = RequestLogger.of(":url :status :ws-close").to(lines::add);
    Service service = Chain.service(new Settings(), logger, HANDS_OVER);
    Service losing =
        new Service() {
          @Override
          public void serve(Exchange exchange) {
            service.serve(
                new ForwardingExchange(exchange) {
                  @Override
                  public int sentStatus(int started) {
                    return lost.get() ? 0 : started; // the head was not sent after all
                  }
                });
          }

          @Override
          public void onRejected(Exchange exchange, int status, Headers headers) {
            service.onRejected(exchange, status, headers);
          }
        };
    try (MemoryClient client = MemoryClient.of(losing)) {
      Call call = Call.get("/x").header("Connection", "Upgrade").header("Upgrade", "echo");
      TestConnection talk = client.open(call);
      assertEquals(101, talk.head().status());
      assertEquals("/x 101 -", String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip());
      lost.set(true);
      talk.send("x");
      assertEquals("/x 101 1000", String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip());
    }
  }

  @Test
  void aClientThatLeavesBeforeTheUpgradeHasOneLine() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    CountDownLatch left = new CountDownLatch(1);
    CountDownLatch upgraded = new CountDownLatch(1);
    Handler late =
        (req, res) -> {
          if (req.path().equals("/next")) {
            res.end();
            return;
          }
          left.await();
          HANDS_OVER.handle(req, res);
          upgraded.countDown();
        };
    RequestLogger logger = RequestLogger.of(":url :status :ws-close").to(lines::add);
    try (MemoryClient client = MemoryClient.of(Chain.service(new Settings(), logger, late))) {
      TestConnection talk =
          client.open(Call.get("/x").header("Connection", "Upgrade").header("Upgrade", "echo"));
      talk.disconnect();
      Reply ignored = Call.get("/next").to(client); // the engine has noticed the disconnect then
      left.countDown();
      assertTrue(upgraded.await(10, TimeUnit.SECONDS));
    }
    assertEquals("/next 200 -", String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip());
    assertEquals("/x - -", String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip());
    assertEquals(List.of(), List.copyOf(lines));
  }
}
