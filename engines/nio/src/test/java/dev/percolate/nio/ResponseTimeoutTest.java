package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.time.Duration;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timeout responses while the handler continues. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class ResponseTimeoutTest extends ServerFixture {

  private static final Logger LOG = Logger.getLogger("dev.percolate");
  private static final int REQUESTS = 60;
  private static final String PATH = "/setting";

  /** Hides the log entries of these requests, one for each. Other tests read the log meanwhile. */
  @BeforeAll
  static void quiet() {
    LOG.setFilter(line -> !line.getMessage().contains("GET " + PATH));
  }

  @AfterAll
  static void loud() {
    LOG.setFilter(null);
  }

  @ParameterizedTest
  @EnumSource(names = {"VIRTUAL", "POOL", "EVENT_LOOP"})
  void aHandlerThatKeepsSettingHeadersDoesNotCorruptTimeoutResponses(ThreadMode threads)
      throws Exception {
    assumeTrue(threads != ThreadMode.VIRTUAL || VirtualThreads.available());
    Handler setting =
        (req, res) -> {
          for (int n = 0; !res.headersSent(); n++) {
            res.set("Content-Length", "" + n % 9).set("X-" + n % 40, "x").remove("X-" + n % 30);
          }
        };
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .threads(threads)
            .responseTimeout(Duration.ofMillis(2));
    Service service = Chain.service(new Settings(), setting);
    try (Client client = Client.of(engine().listen(service, options))) {
      TestConnection connection = Call.get(PATH).open(client);
      for (int i = 1; i <= REQUESTS; i++) {
        Reply reply = connection.reply();
        assertTrue(reply.complete(), reply::toString);
        assertEquals(503, reply.status());
        assertEquals(List.of("" + reply.bytes().length), reply.all("Content-Length"));
        assertTrue(reply.text().contains("Response timeout"), reply::toString);
        connection = i < REQUESTS ? connection.then(Call.get(PATH)) : connection;
      }
      connection.close();
    }
  }
}
