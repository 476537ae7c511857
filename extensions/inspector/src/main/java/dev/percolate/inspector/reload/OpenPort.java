package dev.percolate.inspector.reload;

import dev.percolate.engine.Engine;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A socket that stays open while the application is replaced. */
final class OpenPort implements Service {

  private final String name;
  private final Requests requests;
  private final Server socket;
  private volatile @Nullable VersionServer current;

  /** Receives the requests of all sockets. */
  interface Requests {

    /** Receives a request, on its serial executor. */
    void arrived(OpenPort port, Exchange exchange);

    /** Called when a socket is being closed. */
    void closing();
  }

  /**
   * Opens a socket.
   *
   * @param name its name, the same in all versions of the application
   * @param requests receives the requests
   */
  OpenPort(String name, Engine engine, ListenOptions options, Requests requests)
      throws IOException {
    this.name = name;
    this.requests = requests;
    this.socket = engine.listen(this, options); // a request may arrive before this returns
    socket.closed().whenComplete((done, error) -> closed());
  }

  private void closed() {
    VersionServer last = current;
    if (last != null) {
      last.end();
    }
  }

  String name() {
    return name;
  }

  /** Returns the server of the socket. */
  Server socket() {
    return socket;
  }

  /** Sets the server of the current version. */
  void current(VersionServer server) {
    current = server;
  }

  /** Closes the socket. Blocks until its requests have ended. */
  void close() {
    socket.close();
  }

  /** Closes the socket if a server is the current one. May be called on any thread. */
  void closeIfServing(VersionServer server) {
    if (current == server) {
      close();
    }
  }

  @Override
  public void serve(Exchange exchange) {
    requests.arrived(this, exchange);
  }

  @Override
  public void onRejected(Exchange exchange, int status, Headers headers) {
    VersionServer server = current;
    if (server != null) {
      server.service().onRejected(exchange, status, headers);
    }
  }

  @Override
  public void onShutdown() {
    requests.closing();
    VersionServer server = current;
    if (server != null) {
      server.service().onShutdown();
    }
  }
}
