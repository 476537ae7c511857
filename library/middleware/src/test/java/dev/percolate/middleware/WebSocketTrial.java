package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.TestWebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** The base class of tests with sockets in memory, whose handlers are checked by {@link Lint}. */
abstract class WebSocketTrial {

  static final WebSockets ECHO =
      WebSockets.of(
          socket -> {
            for (WebSocketMessage message : socket.messages()) {
              if (message.isText()) {
                socket.send(message.text());
              } else {
                socket.send(message.bytes());
              }
            }
          });

  static final WebSockets CALLED =
      WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send);

  private final Lint lint = new Lint();
  private final List<MemoryEngine> engines = new ArrayList<>();
  final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    lint.check();
    engines.forEach(MemoryEngine::close);
  }

  final Client client(ThreadMode mode, Middleware... steps) {
    return client(new Settings(), mode, steps);
  }

  final Client client(Settings settings, ThreadMode mode, Middleware... steps) {
    MemoryEngine engine = new MemoryEngine(mode);
    engines.add(engine);
    List<Middleware> watched = new ArrayList<>();
    for (Middleware step : steps) {
      watched.add(lint.around(step));
    }
    watched.add(Played.SHOWN);
    Client client =
        engine.client(lint.service(Chain.service(settings, watched.toArray(Middleware[]::new))));
    open.add(client);
    return client;
  }

  final TestWebSocket socket(Middleware... steps) {
    return client(ThreadMode.ofThisJdk(), steps).webSocket("/rooms/1");
  }

  static void await(BooleanSupplier there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!there.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertTrue(there.getAsBoolean());
  }
}
