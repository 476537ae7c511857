package dev.percolate.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Forwards connections, and can discard all data of open connections in both directions. */
final class SwallowingProxy implements AutoCloseable {

  private final ServerSocket server;
  private final List<Pair> pairs = new CopyOnWriteArrayList<>();
  private volatile int target;

  /** A connection from a client, and the connection to the server. */
  private static final class Pair {

    final Socket near;
    final Socket far;
    volatile boolean swallows;

    Pair(Socket near, Socket far) {
      this.near = near;
      this.far = far;
    }
  }

  SwallowingProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Forwards new connections to another server. */
  void lead(int port) {
    target = port;
  }

  /** Discards the data of all connections that are open now, without closing them. */
  void swallow() {
    pairs.forEach(pair -> pair.swallows = true);
  }

  int connections() {
    return pairs.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        Pair pair = new Pair(near, new Socket(InetAddress.getLoopbackAddress(), target));
        pairs.add(pair);
        start(() -> copy(pair, pair.near, pair.far));
        start(() -> copy(pair, pair.far, pair.near));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void copy(Pair pair, Socket from, Socket to) {
    byte[] buffer = new byte[65536];
    try {
      InputStream in = from.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!pair.swallows) {
          to.getOutputStream().write(buffer, 0, n);
        }
      }
      if (!pair.swallows) {
        to.close();
      }
    } catch (IOException e) {
      close(pair);
    }
  }

  private static void close(Pair pair) {
    close(pair.near);
    close(pair.far);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The socket is no longer needed.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    pairs.forEach(SwallowingProxy::close);
  }
}
