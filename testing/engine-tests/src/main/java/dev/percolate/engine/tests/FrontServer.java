package dev.percolate.engine.tests;

import dev.percolate.engine.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/**
 * A clear-text port that forwards to a server with another protocol, so that tests for HTTP/1.1
 * clients can run against it.
 */
public abstract class FrontServer implements Server {

  private static final int BACKLOG = 1024;

  private final Server behind;
  private final ServerSocket listening;

  /**
   * Binds a port. {@link #begin} starts accepting.
   *
   * @param behind the server
   * @param port the port; 0 for any free port
   */
  protected FrontServer(Server behind, int port) throws IOException {
    this.behind = behind;
    this.listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
  }

  /**
   * Serves a client on a separate thread, until one side disconnects.
   *
   * @throws IOException if the client cannot be served; then its connection is closed
   */
  protected abstract void serve(Socket client) throws IOException;

  /** Starts accepting clients. */
  public final FrontServer begin() {
    start(this::accept);
    return this;
  }

  /** Runs a task on a daemon thread. */
  public static void start(Runnable task) {
    Thread thread = new Thread(task, "front-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        start(() -> serveOrClose(client));
      }
    } catch (IOException e) {
      // the port is closed
    }
  }

  private void serveOrClose(Socket client) {
    try {
      serve(client);
    } catch (IOException e) {
      try {
        client.close();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
    }
  }

  /** Stops accepting clients. */
  protected final void closePort() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port of the server. */
  protected final int portBehind() {
    return behind.port();
  }

  @Override
  public final int port() {
    return listening.getLocalPort();
  }

  @Override
  public final URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  @Override
  public final boolean leaving() {
    return behind.leaving();
  }

  @Override
  public final CompletionStage<Void> closed() {
    return behind.closed();
  }

  @Override
  public void close() {
    try {
      behind.close();
    } finally {
      closePort();
    }
  }
}
