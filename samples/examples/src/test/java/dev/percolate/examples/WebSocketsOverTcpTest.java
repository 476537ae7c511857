package dev.percolate.examples;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSocketMessage;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.WebSocketContract;
import org.junit.jupiter.api.Nested;

/** Runs the WebSocket contract over TCP, with blocking threads and with callbacks. */
final class WebSocketsOverTcpTest {

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
  final class WaitingTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      return Client.of(Engine.find().listen(waiting(most), ListenOptions.ofPort(0)));
    }
  }

  @Nested
  final class OnTheEventLoopTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      ListenOptions options = ListenOptions.ofPort(0).threads("event loop");
      return Client.of(Engine.find().listen(called(most), options));
    }
  }
}
