package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestConnection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that the lines whose absence other tests assert contain these words. */
@Timeout(120)
final class LogCaptureTest {

  @Test
  void serverThatClosesWhileHandlerHoldsItsEventLoopLogsBothLines() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    App app = new App();
    app.get(
        "/",
        HttpProvocations.handler(
            (req, res) -> {
              begun.countDown();
              assertTrue(over.await(60, TimeUnit.SECONDS));
            }));
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .threads(ThreadMode.EVENT_LOOP)
            .shutdownTimeout(Duration.ofMillis(50));
    Server server = app.listen(options);
    try (LogCapture log = new LogCapture();
        Client client = Client.of(server)) {
      TestConnection connection = Call.get("/").open(client);
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      server.close();
      connection.close();
      assertTrue(log.contains(LogCapture.UNFINISHED));
      assertTrue(log.contains(LogCapture.HELD));
    } finally {
      over.countDown();
      server.close();
    }
  }
}
