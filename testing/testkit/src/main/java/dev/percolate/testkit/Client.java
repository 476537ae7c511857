package dev.percolate.testkit;

import dev.percolate.engine.Server;
import java.net.URI;

/**
 * Reaches one service: in memory by {@link MemoryEngine#client}, or over sockets by {@link #of}.
 *
 * <p>Any thread may use it. Closing it hangs up whatever is still open.
 */
public interface Client extends AutoCloseable {

  /**
   * Opens a connection and sends the head of a call, and its body if it has one.
   *
   * @param call what to send
   * @return what goes on over that connection
   */
  Talk open(Call call);

  /**
   * Begins a WebSocket.
   *
   * @param target where
   * @return the client's side of it
   */
  default SocketTalk webSocket(String target) {
    return webSocket(Call.get(target));
  }

  /**
   * Begins a WebSocket by a call with headers of its own, such as {@code Origin}; those of the
   * handshake are added unless they are given.
   *
   * @param call the call
   * @return the client's side of it
   */
  default SocketTalk webSocket(Call call) {
    return new SocketTalk(open(call.asWebSocket()).line());
  }

  /**
   * Begins a stream of server-sent events.
   *
   * @param target where
   * @return the client's side of it
   */
  default EventTalk events(String target) {
    return events(Call.get(target));
  }

  /**
   * Begins a stream of server-sent events by a call with headers of its own, such as {@code
   * Last-Event-ID}.
   *
   * @param call the call
   * @return the client's side of it
   */
  default EventTalk events(Call call) {
    boolean given = call.message().header("Accept") != null;
    return new EventTalk(open(given ? call : call.header("Accept", "text/event-stream")).line());
  }

  @Override
  void close();

  /**
   * Reaches a server over loopback sockets, in HTTP/1.1 without encryption.
   *
   * @param uri where it listens, such as {@code http://localhost:3000}; a path is ignored
   * @return the client
   */
  static Client of(URI uri) {
    return new WireClient(uri, () -> {});
  }

  /**
   * Reaches a server over loopback sockets, and closes it together with the client.
   *
   * @param server the server
   * @return the client
   */
  static Client of(Server server) {
    return new WireClient(server.uri(), server::close);
  }
}
