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
