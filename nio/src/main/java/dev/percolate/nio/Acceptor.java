package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.ListenAddress;
import dev.percolate.engine.loop.TimeoutCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts connections on a thread of its own, so that new clients are seen to whatever the loops
 * are busy with.
 */
final class Acceptor implements Runnable {

  private static final int BACKLOG = 1024;
  private static final long LINGER = TimeUnit.SECONDS.toNanos(2);
  private static final byte[] BUSY =
      """
      HTTP/1.1 503 Service Unavailable\r
      Content-Length: 0\r
      Connection: close\r
      Retry-After: 1\r
      \r
      """
          .getBytes(StandardCharsets.US_ASCII);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

  private final ServerState server;
  private final ServerSocketChannel listening;
  private final Selector selector;
  private final Target target;
  private final boolean looks;
  private final ByteBuffer dropped = ByteBuffer.allocate(16 << 10);
  private volatile boolean stopped;

  /** Takes connections. */
  interface Target {

    /**
     * Takes a connection that has been admitted; tells whether anybody could.
     *
     * @param channel the connection
     * @param peer where it comes from
     */
    boolean take(SocketChannel channel, InetAddress peer);

    /** Looks, now and then, for connections that have been taken in vain. */
    void look(long now, Refusal refusal);

    /** Tells whether nothing happens that it has to look for often. */
    boolean rests();
  }

  /** Answers a connection that nobody can serve, with 503. */
  @FunctionalInterface
  interface Refusal {

    void refuse(SocketChannel channel, InetAddress peer);
  }

  /** A connection that has its 503, and is read until the client has that. */
  private record Refused(SocketChannel channel, InetAddress peer, long until) {}

  /** Binds the port, so that clients can connect from now on. */
  Acceptor(ServerState server, Target target) throws IOException {
    this.server = server;
    this.target = target;
    this.looks = server.stepsHoldLoops();
    ListenOptions options = server.options();
    InetSocketAddress address = new InetSocketAddress(ListenAddress.of(options), options.port());
    selector = Selector.open();
    try {
      listening = ServerSocketChannel.open();
    } catch (IOException e) {
      selector.close();
      throw e;
    }
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

  /** Ends accepting; clients that are connected already are still taken. From any thread. */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  int port() {
    return listening.socket().getLocalPort();
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        selector.select(this::ready, looks ? millisToLook() : 0);
        acceptAll();
        look();
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

  private long millisToLook() {
    TimeoutCheck check = server.timeoutCheck();
    return target.rests() ? check.restMs() : check.everyMs();
  }

  private void look() {
    if (looks) {
      long now = System.nanoTime();
      target.look(now, this::refuse);
      if (selector.keys().size() > 1) { // than that of the port
        leaveAll(now);
      }
    }
  }

  /** Closes connections that were answered, and whose time is over. */
  private void leaveAll(long now) {
    for (SelectionKey key : Set.copyOf(selector.keys())) {
      if (key.attachment() instanceof Refused one && now - one.until > 0) {
        leave(one);
      }
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof Refused one) {
      try {
        if (one.channel.read(dropped.clear()) < 0) {
          leave(one);
        }
      } catch (IOException e) {
        leave(one);
      }
    }
  }

  private void refuse(SocketChannel channel, InetAddress peer) {
    Refused one = new Refused(channel, peer, System.nanoTime() + LINGER);
    if (server.handshakes() != null) {
      leave(one); // it would not be understood
      return;
    }
    try {
      channel.write(ByteBuffer.wrap(BUSY));
      channel.shutdownOutput();
      channel.register(selector, SelectionKey.OP_READ, one);
    } catch (IOException e) {
      leave(one);
    }
  }

  private void leave(Refused one) {
    if (one.channel.isOpen()) {
      server.left(one.peer, one.channel);
    }
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
    InetAddress peer = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
    if (!server.admission().admits(peer)) {
      channel.close();
      return;
    }
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (!target.take(channel, peer)) {
        refuse(channel, peer);
      }
    } catch (IOException | RuntimeException e) {
      server.admission().left(peer);
      throw e;
    }
  }

  private void close() {
    leaveAll(System.nanoTime() + LINGER);
    try {
      listening.close();
      selector.close(); // which lets the port go
    } catch (IOException e) {
      stopped = true; // nobody can connect any more, which is what was wanted
    }
  }
}
