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
 * A port in clear text in front of a server that speaks something else, so that what holds for
 * clients of HTTP/1.1 can be tested on it.
 */
public abstract class FrontServer implements Server {

  private static final int BACKLOG = 1024;

  private final Server behind;
  private final ServerSocket listening;

  /**
   * Binds a port; {@link #begin} begins to accept.
   *
   * @param behind the server
   * @param port the port in front; 0 for any free one
   */
  protected FrontServer(Server behind, int port) throws IOException {
    this.behind = behind;
    this.listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
  }

  /**
   * Serves a client, on a thread of its own, until one side has gone.
   *
   * @throws IOException if it cannot be served, then it is closed
   */
  protected abstract void serve(Socket client) throws IOException;

  /** Accepts clients from now on. */
  public final FrontServer begin() {
    start(this::accept);
    return this;
  }

  /** Runs a task on a thread that keeps no process alive. */
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

  /** Lets nobody connect any more. */
  protected final void closePort() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port of the server behind. */
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
