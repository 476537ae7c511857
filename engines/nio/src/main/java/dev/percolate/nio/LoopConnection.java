package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.http.IpText;
import dev.percolate.nio.protocol.ExchangeConnection;
import dev.percolate.nio.transport.Transport;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection of an event loop, with any protocol. Used on the loop only. */
abstract class LoopConnection implements LoopMember, ExchangeConnection {

  /** How long a request may continue after the client has closed its output, in nanoseconds. */
  static final long HALF_CLOSED = TimeUnit.SECONDS.toNanos(2);

  /**
   * The actions that close a connection, in order. The list is built once: closing must not fail
   * for lack of memory.
   */
  private static final List<Consumer<LoopConnection>> CLOSING =
      List.of(
          one -> one.server.close(one.channel),
          one -> one.transport.close(),
          LoopConnection::endTail,
          LoopConnection::leave,
          LoopConnection::dropRequests,
          one -> one.output.drop());

  final NioLoop loop;
  final ServerState server;
  final SocketChannel channel;
  final InetAddress peer;
  final Transport transport;
  final Output output;
  private @Nullable SelectionKey key;
  private int place;
  private int interest = SelectionKey.OP_READ;
  private BodyMemory.@Nullable Share share;
  private @Nullable Lingering tail;

  /** The client's address from a PROXY header; empty if the peer is the client. */
  private String client = "";

  private Phase phase = Phase.OPEN;
  private boolean unflushed;
  boolean readsLater;

  /** Whether the client has closed its output, which may happen in any phase. */
  boolean halfClosed;

  /**
   * How far the end of a connection has come. A connection may skip phases, but never returns to an
   * earlier one.
   *
   * <pre>
   *   OPEN --> LAST --> SKIPPING --all is sent--> LINGERING --> CLOSED
   *     |        |          |                         |           ^
   *     +--------+----------+----------abort----------+--> ABORTED
   * </pre>
   */
  enum Phase {
    /** Requests are read and responses are sent. */
    OPEN,
    /** The current response is the last one. Input after its request is kept, but not parsed. */
    LAST,
    /** No more input is needed: it is read and discarded. */
    SKIPPING,
    /** The output is closed. Input is discarded for a while, see {@link Lingering}. */
    LINGERING,
    /** Only responses that are already complete are sent. */
    ABORTED,
    /** The socket is closed, or another connection has {@linkplain #takeOver taken over}. */
    CLOSED
  }

  /** Creates a connection; {@link #join} registers it with its loop. */
  LoopConnection(NioLoop loop, ServerState server, SocketChannel channel, InetAddress peer) {
    this.loop = loop;
    this.server = server;
    this.channel = channel;
    this.peer = peer;
    this.transport = server.newTransport(channel, loop, this::readLater);
    this.output = new Output(transport, loop.memory());
  }

  /** Registers the connection with its loop; it must be completely constructed. */
  final void join() throws IOException {
    key = loop.add(this, channel);
  }

  /** Creates a connection that replaces another one when it {@linkplain #takeOver takes over}. */
  LoopConnection(LoopConnection before) {
    this.loop = before.loop;
    this.server = before.server;
    this.channel = before.channel;
    this.peer = before.peer;
    this.transport = before.transport;
    this.output = before.output;
    this.key = before.key;
    this.share = before.share;
    this.client = before.client;
    this.interest = before.interest;
  }

  /** Replaces a connection whose protocol changes. */
  final void takeOver(LoopConnection before) {
    before.advance(Phase.CLOSED); // for tasks that are already scheduled
    loop.replace(before, this, Objects.requireNonNull(key));
  }

  /** Enters a phase, unless the connection is in a later one. */
  final void advance(Phase to) {
    if (phase.compareTo(to) < 0) {
      phase = to;
    }
  }

  /** Returns true if the connection is in the given phase or a later one. */
  final boolean hasReached(Phase wanted) {
    return phase.compareTo(wanted) >= 0;
  }

  /** Returns true until the connection is closed. Waiting output may still be sent. */
  final boolean isOpen() {
    return phase != Phase.CLOSED;
  }

  final boolean isLingering() {
    return phase == Phase.LINGERING;
  }

  /** Reads received bytes. */
  abstract void read();

  /** Ends requests in progress after the connection was closed. */
  abstract void dropRequests();

  @Override
  public final NioLoop loop() {
    return loop;
  }

  @Override
  public final ServerState limits() {
    return server;
  }

  @Override
  public final boolean isSecure() {
    return transport.isSecure();
  }

  @Override
  public final List<X509Certificate> clientCertificates() {
    return transport.clientCertificates();
  }

  @Override
  public final String remoteAddress() {
    String address = client.isEmpty() ? peer.getHostAddress() : client;
    return peer instanceof Inet4Address ? address : IpText.canonical(address);
  }

  /**
   * Sets the client's address from a PROXY header; returns false if it has too many connections.
   */
  final boolean identify(String named) {
    String address = IpText.canonical(named);
    boolean admitted = server.admission().identifies(address);
    if (admitted) {
      client = address;
    }
    return admitted;
  }

  @Override
  public final BodyMemory.Share share() {
    BodyMemory.Share known = share;
    if (known == null) {
      known = server.options().bodyMemory().share();
      share = known;
    }
    return known;
  }

  @Override
  public final int place() {
    return place;
  }

  @Override
  public final void place(int at) {
    place = at;
  }

  @Override
  public final void ready(int operations) {
    if ((operations & SelectionKey.OP_WRITE) != 0) {
      flush();
    }
    if ((operations & SelectionKey.OP_READ) != 0 && isOpen()) {
      read();
    }
  }

  /** Flushes the output at the end of the iteration. */
  final void flushLater() {
    if (!unflushed) {
      loop.flushLater(this);
      unflushed = true; // last: if the call above fails, a later one must try again
    }
  }

  /** Passes output to the system. Returns false if the connection is closed. */
  final boolean flushNow() {
    unflushed = false;
    if (!isOpen()) {
      return false;
    }
    try {
      transport.flush();
      if (output.flush()) {
        flushLater();
      }
      return true;
    } catch (IOException e) {
      closeNow();
      return false;
    }
  }

  /** Reads again in the next iteration, even if no bytes arrive. */
  final void readLater() {
    if (!readsLater) {
      loop.goOnLater(this);
      readsLater = true;
    }
  }

  /** Reads if that was requested for this iteration. */
  final void readLeft() {
    if (readsLater) {
      readsLater = false;
      if (isOpen() && transport.hasInput()) {
        read();
      }
    }
  }

  /** Sets which events of the socket to wait for: readable, writable, both or none. */
  final void updateInterest(boolean reads) {
    boolean writes = output.isFull() || transport.isFull();
    boolean asks = reads && !halfClosed && transport.takesInput();
    int wanted = (asks ? SelectionKey.OP_READ : 0) | (writes ? SelectionKey.OP_WRITE : 0);
    if (asks && transport.hasInput()) {
      readLater();
    }
    if (wanted != interest) {
      interest = wanted;
      Objects.requireNonNull(key).interestOps(wanted);
    }
  }

  @Override
  public final void closeNow() {
    if (!isOpen()) {
      return;
    }
    advance(Phase.CLOSED);
    for (int i = 0; i < CLOSING.size(); i++) {
      Callbacks.accept("closing a connection", CLOSING.get(i), this);
    }
    loop.remove(this);
  }

  private void leave() {
    server.admission().left(peer);
    if (!client.isEmpty()) {
      server.admission().forgets(client);
    }
  }

  private void endTail() {
    if (tail != null) {
      tail.end();
    }
  }

  /**
   * Closes the connection by a reset, because the client does not read its response. Otherwise the
   * system would keep the unsent bytes for as long as the client likes.
   */
  final void reset() {
    try {
      SocketChannel ignored = channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      // the client has disconnected
    }
    closeNow();
  }

  /** Discards bytes that no request will read; closes the connection if there are too many. */
  final void discard(int count) {
    long now = System.nanoTime();
    Lingering known = tail(now);
    known.received(count, now);
    if (known.isOver(now)) {
      closeNow();
    }
  }

  /** Returns true if the connection lingers and its time is over. */
  final boolean hasLingered(long now) {
    return isLingering() && tail(now).isOver(now);
  }

  private Lingering tail(long now) {
    Lingering known = tail;
    if (known == null) {
      known = new Lingering(server, now);
      tail = known;
    }
    return known;
  }

  /** Closes the output, and reads and discards input for a while. */
  final void linger() {
    advance(Phase.LINGERING);
    tail = tail(System.nanoTime());
    try {
      transport.shutdownOutput();
    } catch (IOException e) {
      closeNow();
    }
  }
}
