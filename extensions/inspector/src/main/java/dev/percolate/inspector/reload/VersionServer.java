package dev.percolate.inspector.reload;

import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The server of one version of an application, on a socket that later versions use as well. */
final class VersionServer implements Server {

  private final Service service;
  private final Server socket;
  private final Consumer<VersionServer> close;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /**
   * Creates a server.
   *
   * @param service the application
   * @param socket the server of the socket
   * @param close closes the socket, unless a later version uses it
   */
  VersionServer(Service service, Server socket, Consumer<VersionServer> close) {
    this.service = service;
    this.socket = socket;
    this.close = close;
  }

  Service service() {
    return service;
  }

  /** Ends this server. The socket may stay open. */
  void end() {
    closed.complete(null);
  }

  @Override
  public int port() {
    return socket.port();
  }

  @Override
  public URI uri() {
    return socket.uri();
  }

  @Override
  public boolean isShuttingDown() {
    return socket.isShuttingDown();
  }

  @Override
  public int connections() {
    return socket.connections();
  }

  @Override
  public long failedHandshakes() {
    return socket.failedHandshakes();
  }

  @Override
  public void reloadTls() throws IOException {
    socket.reloadTls();
  }

  @Override
  public void close() {
    if (!closed.isDone()) {
      close.accept(this);
    }
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }
}
