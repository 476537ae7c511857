package dev.percolate.http2;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.middleware.MessageStream;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.nio.NioEngine;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.WebSocketContract;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The WebSocket contract over HTTP/2, through a gateway that translates upgrades to extended
 * CONNECT (RFC 8441), with message streams and with callbacks.
 */
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class WebSocketsOverStreamsTest {

  private static Client client(WebSockets step, ThreadMode threads) throws Exception {
    Service service = Chain.service(new Settings(), step);
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").threads(threads).http2PriorKnowledge(true);
    return Client.of(Gateway.before(new NioEngine().listen(service, options)));
  }

  private static void echo(WebSocket socket) throws Exception {
    for (MessageStream message : socket.streams()) {
      byte[] all = message.readAllBytes();
      if (message.isText()) {
        socket.send(new String(all, StandardCharsets.UTF_8));
      } else {
        socket.send(all);
      }
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  final class WaitingTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      WebSockets step = WebSockets.of(WebSocketsOverStreamsTest::echo);
      return client(step.maxMessageSize(most + "b"), ThreadMode.ofThisJdk());
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  final class OnTheEventLoopTest extends WebSocketContract {

    @Override
    protected Client echo(long most) throws Exception {
      WebSockets step = WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send);
      return client(step.maxMessageSize(most + "b"), ThreadMode.EVENT_LOOP);
    }
  }
}
