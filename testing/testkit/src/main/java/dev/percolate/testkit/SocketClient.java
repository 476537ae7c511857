package dev.percolate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A client that connects over sockets. Each call uses a new connection. */
final class SocketClient implements Client {

  private final URI uri;
  private final Runnable after;
  private final Set<ClientSocket> open = ConcurrentHashMap.newKeySet();

  /**
   * Creates a client.
   *
   * @param uri the address of the server
   * @param after runs after the client is closed
   */
  SocketClient(URI uri, Runnable after) {
    if (!"http".equals(uri.getScheme()) || uri.getPort() < 0) {
      throw new IllegalArgumentException("Client.of(" + uri + "): needs http:// with a port");
    }
    this.uri = uri;
    this.after = after;
  }

  @Override
  public TestConnection open(Call call) {
    try {
      ClientSocket wire = new ClientSocket(uri.getHost(), uri.getPort(), open::remove);
      open.add(wire);
      return new TestConnection(call.message(), new SocketCall(wire, call.message()));
    } catch (IOException e) {
      throw new UncheckedIOException(call + ": cannot connect to " + uri, e);
    }
  }

  @Override
  public String origin() {
    return "http://" + uri.getHost() + ":" + uri.getPort();
  }

  @Override
  public void close() {
    open.forEach(ClientSocket::close);
    after.run();
  }
}
