package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.parts.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts connections on a thread of its own, so that new clients are seen to whatever the loops
 * are busy with.
 */
final class Acceptor implements Runnable {

  private static final int BACKLOG = 1024;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final ServerState server;
  private final ServerSocketChannel listening;
  private final Selector selector;
  private final Target target;
  private volatile boolean stopped;

  /** Takes connections. */
  interface Target {

    /**
     * Takes a connection that has been admitted.
     *
     * @param channel the connection
     * @param peer where it comes from
     */
    void take(SocketChannel channel, InetAddress peer);
  }

  /** Binds the port, so that clients can connect from now on. */
  Acceptor(ServerState server, Target target) throws IOException {
    this.server = server;
    this.target = target;
    ListenOptions options = server.options();
    InetSocketAddress address = new InetSocketAddress(ListenAddress.of(options), options.port());
    selector = Selector.open();
    listening = ServerSocketChannel.open();
    try {
      listening.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address, BACKLOG);
      SelectionKey key =
          listening.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
      key.attach(this);
    } catch (IOException e) {
      close();
      throw ListenAddress.unbound(options, e);
    }
  }

  int port() {
    return listening.socket().getLocalPort();
  }

  /** Ends accepting; clients that are connected already are still taken. From any thread. */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        selector.select(key -> {});
        acceptAll();
      } catch (IOException | RuntimeException e) {
        failed(e);
        LockSupport.parkNanos(this, PAUSE); // what waits to be accepted stays ready
      }
    }
    try {
      acceptAll();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
    close();
  }

  private void failed(Exception cause) {
    server.admission().failed(cause instanceof IOException e ? e : new IOException(cause));
  }

  private void acceptAll() throws IOException {
    for (SocketChannel channel = listening.accept();
        channel != null;
        channel = listening.accept()) {
      try {
        accepted(channel);
      } catch (IOException | RuntimeException e) {
        channel.close(); // the client has gone
      }
    }
  }

  private void accepted(SocketChannel channel) throws IOException {
    InetAddress peer = channel.socket().getInetAddress();
    if (peer == null || !server.admission().admits(peer)) {
      channel.close();
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      target.take(channel, peer);
    } catch (IOException | RuntimeException e) {
      server.admission().left(peer);
      throw e;
    }
  }

  private void close() {
    try {
      listening.close();
      selector.close(); // which lets the port go
    } catch (IOException e) {
      stopped = true; // nobody can connect any more, which is what was wanted
    }
  }
}
