package dev.percolate.http2;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.FrontServer;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Translates HTTP/1.1 to HTTP/2 for a server, so that the tests of HTTP/1.1 clients also run over
 * HTTP/2. Each connection becomes one connection.
 */
final class Gateway extends FrontServer {

  private final Set<GatewayConnection> open = ConcurrentHashMap.newKeySet();

  private Gateway(Server behind) throws IOException {
    super(behind, 0);
  }

  static Server before(Server behind) throws IOException {
    return new Gateway(behind).begin();
  }

  @Override
  protected void serve(Socket client) throws IOException {
    GatewayConnection connection = new GatewayConnection(client, portBehind());
    open.add(connection);
    connection.run();
    open.remove(connection);
  }

  @Override
  public void close() {
    closePort();
    open.forEach(GatewayConnection::close);
    super.close();
  }
}
