package dev.percolate.http2;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.FrontServer;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes HTTP/1.1 and speaks HTTP/2 with a server behind it, so that what is tried by clients of
 * HTTP/1.1 is tried over HTTP/2: each connection becomes one.
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
