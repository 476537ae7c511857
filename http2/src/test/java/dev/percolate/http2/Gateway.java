package dev.percolate.http2;

import dev.percolate.engine.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes HTTP/1.1 and speaks HTTP/2 with a server behind it, so that what is tried by clients of
 * HTTP/1.1 is tried over HTTP/2: each connection becomes one.
 */
final class Gateway implements Server {

  private final Server behind;
  private final ServerSocket listening;
  private final Set<GatewayConnection> open = ConcurrentHashMap.newKeySet();

  Gateway(Server behind) throws IOException {
    this.behind = behind;
    listening = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    start(this::acceptAll);
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listening.accept();
        GatewayConnection connection = new GatewayConnection(client, behind.port());
        open.add(connection);
        start(
            () -> {
              connection.run();
              open.remove(connection);
            });
      }
    } catch (IOException e) {
      // closed
    }
  }

  static void start(Runnable task) {
    Thread thread = new Thread(task, "gateway");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public int port() {
    return listening.getLocalPort();
  }

  @Override
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  @Override
  public boolean leaving() {
    return behind.leaving();
  }

  @Override
  public CompletionStage<Void> closed() {
    return behind.closed();
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      open.forEach(GatewayConnection::close);
      behind.close();
    }
  }
}
