package dev.percolate.testkit;

import dev.percolate.engine.Server;
import dev.percolate.testkit.replay.Replay;
import dev.percolate.testkit.replay.ReplayReport;
import java.net.URI;
import java.nio.file.Path;

/**
 * A client of one service: in memory with {@link MemoryEngine#client}, or over sockets with {@link
 * #of}.
 *
 * <p>Thread-safe. Closing the client closes its open connections.
 */
public interface Client extends AutoCloseable {

  /**
   * Opens a connection and sends the head of a call, and its body if it has one.
   *
   * @param call the call
   * @return the open call
   */
  TestConnection open(Call call);

  /**
   * Opens a WebSocket.
   *
   * @param target the request target
   * @return the client side of the WebSocket
   */
  default TestWebSocket webSocket(String target) {
    return webSocket(Call.get(target));
  }

  /**
   * Opens a WebSocket with a call that has additional headers, such as {@code Origin}. The headers
   * of the handshake are added unless they are present.
   *
   * @param call the call
   * @return the client side of the WebSocket
   */
  default TestWebSocket webSocket(Call call) {
    return new TestWebSocket(open(call.asWebSocket()).line());
  }

  /**
   * Opens a stream of server-sent events.
   *
   * @param target the request target
   * @return the client side of the stream
   */
  default TestEventStream events(String target) {
    return events(Call.get(target));
  }

  /**
   * Opens a stream of server-sent events with a call that has additional headers, such as {@code
   * Last-Event-ID}.
   *
   * @param call the call
   * @return the client side of the stream
   */
  default TestEventStream events(Call call) {
    boolean given = call.message().header("Accept") != null;
    Call accepting = given ? call : call.header("Accept", "text/event-stream");
    return new TestEventStream(open(accepting.withCookies()).line());
  }

  /**
   * Sends recorded requests again, and compares the responses: a recording is a test. Waits at most
   * 10 seconds for each response.
   *
   * @param recording a file of a recorder, or a folder of such files; see {@link Replay}
   * @throws AssertionError if a response differs; the message contains each kind of difference
   * @throws IllegalArgumentException if a file is not a recording
   */
  default void replay(Path recording) {
    replay(Replay.of(recording)).check();
  }

  /**
   * Sends recorded requests again, and compares the responses.
   *
   * @param replay the recording, with options
   * @return the differences
   * @throws IllegalArgumentException if a file is not a recording
   */
  default ReplayReport replay(Replay replay) {
    return replay.run(
        origin(),
        (method, target, headers, body) -> {
          Call call = Call.of(method, target);
          for (int i = 0; i < headers.size(); i++) {
            call = call.header(headers.name(i), headers.value(i));
          }
          return (body == null ? call : call.body(body)).to(this);
        });
  }

  /**
   * Returns the scheme and authority of the service. Default: {@code http://localhost}.
   *
   * @return the origin, such as {@code http://localhost:3000}
   */
  default String origin() {
    return "http://localhost";
  }

  @Override
  void close();

  /**
   * Creates a client that connects over loopback sockets, in HTTP/1.1 without TLS.
   *
   * @param uri the address of the server, such as {@code http://localhost:3000}; a path is ignored
   * @return the client
   */
  static Client of(URI uri) {
    return new SocketClient(uri, () -> {});
  }

  /**
   * Creates a client that connects to a server over loopback sockets. Closing the client closes the
   * server.
   *
   * @param server the server
   * @return the client
   */
  static Client of(Server server) {
    return new SocketClient(server.uri(), server::close);
  }
}
