package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.ListenAddress;
import dev.percolate.nio.loop.TimeoutCheck;
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
 * Accepts connections on a separate thread, so that busy event loops do not delay new clients.
 *
 * <p>Connections cannot take the last file descriptors of the process, see {@link
 * ReservedDescriptors}. A failure, such as a lack of file descriptors or memory, is logged at most
 * once a minute, and new connections wait. If the port or the selector is closed by accident, it is
 * opened again. If that fails for 5 seconds, {@link #run} throws.
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

  /** The time between attempts to reserve the spare files again, if few connections were closed. */
  private static final long AGAIN = TimeUnit.SECONDS.toNanos(1);

  /**
   * The number of closed connections after which the spare files are reserved again immediately.
   */
  private static final int ENOUGH = 16;

  /** How long the port may stay closed before {@link #run} throws. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  private final ServerState server;
  private final int port;
  private final ReservedDescriptors spare = new ReservedDescriptors();
  private final Target target;
  private final boolean looks;
  private final ByteBuffer dropped = ByteBuffer.allocate(16 << 10);
  private volatile ServerSocketChannel listening;
  private volatile Selector selector;
  private volatile boolean stopped;

  /** The number of open connections, and the time, when the spare files were released. */
  private int releasedAt;

  private long releasedSince = System.nanoTime() - 2 * AGAIN;

  /** Whether the port or the selector is closed by accident, and since when. */
  private boolean broken;

  private long brokenSince;

  /** Receives accepted connections. */
  interface Target {

    /**
     * Receives an admitted connection. Returns false if no event loop can serve it.
     *
     * @param channel the connection
     * @param peer the address of the peer
     */
    boolean take(SocketChannel channel, InetAddress peer);

    /** Checks, periodically, for connections that their event loop has not taken. */
    void look(long now, Rejection rejection);

    /** Returns true if frequent checks are not necessary. */
    boolean rests();
  }

  /** Responds with 503 to a connection that no event loop can serve. */
  @FunctionalInterface
  interface Rejection {

    void reject(SocketChannel channel, InetAddress peer);
  }

  /** A connection that has been sent a 503 and is read until the client closes it. */
  private record Rejected(SocketChannel channel, InetAddress peer, long until) {}

  /** Binds the port. Clients can connect from now on. */
  Acceptor(ServerState server, Target target) throws IOException {
    this.server = server;
    this.target = target;
    this.looks = server.stepsHoldLoops();
    spare.prepare();
    this.selector = Selector.open();
    try {
      this.listening = bind(server.options().port(), selector);
    } catch (IOException | RuntimeException | Error e) {
      selector.close();
      throw e;
    }
    this.port = listening.socket().getLocalPort();
  }

  /** Binds the port and registers it with a selector. */
  private ServerSocketChannel bind(int at, Selector with) throws IOException {
    ListenOptions options = server.options();
    InetSocketAddress address = new InetSocketAddress(ListenAddress.of(options), at);
    ServerSocketChannel bound = ServerSocketChannel.open();
    try {
      bound.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address, BACKLOG);
      register(bound, with);
      return bound;
    } catch (IOException e) {
      bound.close();
      throw ListenAddress.unbound(options, e);
    } catch (RuntimeException | Error e) {
      bound.close();
      throw e;
    }
  }

  private void register(ServerSocketChannel bound, Selector with) throws IOException {
    SelectionKey key = bound.configureBlocking(false).register(with, SelectionKey.OP_ACCEPT);
    key.attach(this);
  }

  /**
   * Stops accepting, after the clients that have already connected. May be called on any thread.
   */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  int port() {
    return port;
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        goRound();
      }
      acceptLast();
    } finally {
      close();
    }
  }

  private void goRound() {
    boolean ignored = Thread.interrupted(); // an interrupt would close the port
    try {
      if (!isOpen()) {
        reopen();
        return; // the server may have been stopped with the old selector
      }
      if (holdsSpare()) {
        selector.select(this::ready, looks ? millisToLook() : 0);
        acceptAll();
      } else {
        LockSupport.parkNanos(this, PAUSE); // waiting connections stay ready
      }
      look();
    } catch (Throwable e) { // of any kind: without this thread no client can connect
      if (e instanceof IOException) {
        releaseSpare();
      }
      failed(e);
      giveUpIfClosed(e);
      LockSupport.parkNanos(this, PAUSE); // waiting connections stay ready
    }
  }

  /** Reserves the spare files if it is time. Returns true if clients may connect. */
  private boolean holdsSpare() throws IOException {
    boolean held = spare.areHeld();
    boolean closed = server.admission().open() <= releasedAt - ENOUGH;
    if (!held && (closed || System.nanoTime() - releasedSince > AGAIN)) {
      spare.hold();
      held = true;
    }
    return held;
  }

  private void releaseSpare() {
    spare.release();
    releasedAt = server.admission().open();
    releasedSince = System.nanoTime();
  }

  private void giveUpIfClosed(Throwable cause) {
    long now = System.nanoTime();
    if (isOpen()) {
      broken = false;
    } else if (!broken) {
      broken = true;
      brokenSince = now;
    } else if (now - brokenSince > PATIENCE) {
      throw new IllegalStateException("port " + port + " cannot be opened again", cause);
    }
  }

  private void acceptLast() {
    try {
      acceptAll();
    } catch (Throwable e) {
      failed(e);
    }
  }

  private boolean isOpen() {
    return listening.isOpen() && selector.isOpen();
  }

  /** Opens the port and the selector again after they were closed by accident. */
  private void reopen() throws IOException {
    if (selector.isOpen()) {
      leaveAll(System.nanoTime() + LINGER);
      selector.close();
    }
    Selector fresh = Selector.open();
    try {
      if (listening.isOpen()) {
        register(listening, fresh); // clients that have connected are still in its queue
      } else {
        listening = bind(port, fresh);
      }
    } catch (IOException | RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    selector = fresh;
    broken = false;
  }

  private long millisToLook() {
    TimeoutCheck check = server.timeoutCheck();
    return target.rests() ? check.restMs() : check.everyMs();
  }

  private void look() {
    if (looks) {
      long now = System.nanoTime();
      target.look(now, this::reject);
      if (selector.keys().size() > 1) { // more than the port
        leaveAll(now);
      }
    }
  }

  /** Closes connections whose time after the 503 is over. */
  private void leaveAll(long now) {
    for (SelectionKey key : Set.copyOf(selector.keys())) {
      if (key.attachment() instanceof Rejected one && now - one.until > 0) {
        leave(one);
      }
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof Rejected one) {
      try {
        if (one.channel.read(dropped.clear()) < 0) {
          leave(one);
        }
      } catch (IOException e) {
        leave(one);
      }
    }
  }

  private void reject(SocketChannel channel, InetAddress peer) {
    Rejected one = new Rejected(channel, peer, System.nanoTime() + LINGER);
    if (server.handshakes() != null) {
      leave(one); // a plain response is invalid in TLS
      return;
    }
    try {
      channel.write(ByteBuffer.wrap(BUSY));
      channel.shutdownOutput();
      channel.register(selector, SelectionKey.OP_READ, one);
    } catch (IOException | RuntimeException | Error e) {
      leave(one);
    }
  }

  private void leave(Rejected one) {
    if (one.channel.isOpen()) {
      server.left(one.peer, one.channel);
    }
  }

  private void failed(Throwable cause) {
    server.admission().failed(cause);
  }

  private void acceptAll() throws IOException {
    for (SocketChannel channel = listening.accept();
        channel != null;
        channel = listening.accept()) {
      try {
        accepted(channel);
      } catch (IOException e) {
        server.close(channel); // the client has disconnected
      } catch (RuntimeException | Error e) {
        server.close(channel);
        throw e;
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
        reject(channel, peer);
      }
    } catch (IOException | RuntimeException | Error e) {
      server.admission().left(peer);
      throw e;
    }
  }

  /** Releases the port if {@link #run} has not done so or is never called. */
  void close() {
    try {
      if (selector.isOpen()) {
        leaveAll(System.nanoTime() + LINGER);
      }
    } finally {
      spare.release();
      closeAll();
    }
  }

  private void closeAll() {
    try {
      listening.close();
      selector.close(); // which releases the port
    } catch (IOException e) {
      stopped = true; // no client can connect any more, as wanted
    }
  }
}
