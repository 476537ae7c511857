package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams and WebSockets that open after the server has stopped accepting clients end at once. */
@Timeout(60)
final class LateStreamsTest {

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);

  private Server listen(Middleware late) throws Exception {
    Middleware waits =
        (req, res, next) -> {
          Runnable ignored = req.onShutdown(closing::countDown);
          entered.countDown();
          assertTrue(closing.await(20, TimeUnit.SECONDS));
          next.run();
        };
    App app = new App();
    app.get("/", waits, late);
    return app.listen(ListenOptions.ofPort(0).host("127.0.0.1"));
  }

  private CompletableFuture<Void> close(Server server) throws Exception {
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    return CompletableFuture.runAsync(server::close);
  }

  @Test
  void eventStreamsEnd() throws Exception {
    Server server = listen(Events.async((req, events) -> {}));
    try (Client client = Client.of(server)) {
      TestEventStream talk = client.events("/");
      CompletableFuture<Void> closed = close(server);
      assertEquals(200, talk.head().status());
      assertTrue(talk.awaitEnd());
      closed.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void socketsAreClosedWith1001() throws Exception {
    Server server = listen(WebSockets.callbacks());
    try (Client client = Client.of(server)) {
      TestWebSocket socket = client.webSocket("/");
      CompletableFuture<Void> closed = close(server);
      assertEquals(1001, socket.closeCode());
      socket.close(1001, "");
      socket.awaitEnd();
      closed.get(20, TimeUnit.SECONDS);
    }
  }
}
