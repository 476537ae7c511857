package dev.percolate.middleware;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.WebSocketContract;
import org.junit.jupiter.api.Nested;

/** Runs the WebSocket suite in memory, with blocking handlers and with callbacks. */
final class WebSocketContractTest {

  private static Service waiting(long most) {
    return Chain.service(
        new Settings(),
        WebSockets.of(
                socket -> {
                  for (WebSocketMessage message : socket.messages()) {
                    if (message.isText()) {
                      socket.send(message.text());
                    } else {
                      socket.send(message.bytes());
                    }
                  }
                })
            .maxMessageSize(most + "b"));
  }

  private static Service called(long most) {
    return Chain.service(
        new Settings(),
        WebSockets.callbacks()
            .onText(WebSocket::send)
            .onBinary(WebSocket::send)
            .maxMessageSize(most + "b"));
  }

  @Nested
  final class WaitingInMemoryTest extends WebSocketContract {

    @Override
    protected Client echo(long most) {
      return new MemoryEngine().client(waiting(most));
    }
  }

  @Nested
  final class OnEventLoopInMemoryTest extends WebSocketContract {

    @Override
    protected Client echo(long most) {
      return new MemoryEngine(ThreadMode.EVENT_LOOP).client(called(most));
    }
  }
}
