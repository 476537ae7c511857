package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.transport.ProxyHeader;
import dev.percolate.nio.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 connection and its timeouts. Used on its event loop only.
 *
 * <pre>
 *   PROXY header --> protocol detected --> IDLE
 *
 *   IDLE --bytes--> HEAD --complete--> BUSY --response sent, body read--> IDLE
 *     |               |                  +--last response sent--> end
 *     |               +--rejected----------------------------------^
 *     +--silent, or the server is closed---------------------------^
 * </pre>
 *
 * <p>The {@link RequestReader} knows whether a head has begun and whether a request is in progress.
 * The {@link LoopConnection.Phase} tells how far the end has come.
 *
 * <p>Requests are processed one after the other. Bytes that follow the current request are kept, up
 * to a limit; beyond it the connection is not read. After the last response the output is closed,
 * and input is read and discarded for a while: closing a connection with unread bytes resets it,
 * and the client may lose the response.
 */
final class NioConnection extends LoopConnection {

  /** The maximum number of bytes that are kept while a request is in progress. */
  private static final int MOST_AHEAD = 4 << 10;

  /**
   * How long requests that are still being transmitted may take to arrive during shutdown, in
   * nanoseconds.
   */
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(250);

  /** Two reads of a head with fewer bytes than this delay further reads. */
  private static final int LITTLE = 256;

  /** One read of a head with fewer bytes than this delays further reads. */
  private static final int VERY_LITTLE = 16;

  /**
   * How long to wait before reading more of such a head, in nanoseconds. This costs less than
   * reading it in small parts.
   */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(64);

  /** How many times the wait is doubled. */
  private static final int DOUBLINGS = 2;

  /** How long to read and discard an unread body after the response, in nanoseconds. */
  private static final long UNREAD_BODY = TimeUnit.SECONDS.toNanos(1);

  private final RequestReader reader;

  /** Reads the PROXY header of a trusted proxy; null once it is complete, and for other peers. */
  private @Nullable ProxyHeader proxyHeader;

  /** Detects the protocol; null once it is HTTP/1.1. */
  private @Nullable ProtocolDetector protocolDetector;

  private int littles;
  private int pauses;
  private boolean pausing;
  private boolean holdsBody;

  /** Whether {@code since} is set; otherwise the next check sets it. */
  private boolean seen = true;

  /** When the connection began to be idle, to receive a head, or to be busy. */
  private long since = System.nanoTime();

  /** Whether a check has found the connection idle during shutdown, and no bytes since. */
  private boolean leaving;

  private long takenBefore;

  private NioConnection(NioLoop loop, ServerState server, SocketChannel channel, InetAddress peer) {
    super(loop, server, channel, peer);
    this.reader = new RequestReader(this, loop, server);
    this.proxyHeader = server.admission().sendsHeader(peer) ? new ProxyHeader() : null;
    this.protocolDetector = ProtocolDetector.of(server);
  }

  /** Adds a connection to its event loop. Called on the loop. */
  static void open(NioLoop loop, ServerState server, SocketChannel channel, InetAddress peer)
      throws IOException {
    NioConnection added = new NioConnection(loop, server, channel, peer);
    added.enter();
    added.join();
  }

  Output output() {
    return output;
  }

  Transport transport() {
    return transport;
  }

  RequestReader reader() {
    return reader;
  }

  /** Returns true if responses can still be sent. */
  boolean takesResponses() {
    return !hasReached(Phase.ABORTED);
  }

  /** Returns true if the current response is the last one. */
  boolean isLast() {
    return hasReached(Phase.LAST);
  }

  /** Returns true if input is parsed as requests. */
  boolean takesRequests() {
    return !hasReached(Phase.SKIPPING);
  }

  @Override
  public void flush() {
    if (!flushNow()) {
      return;
    }
    NioExchange current = reader.current();
    if (current != null) {
      current.moved(output.written() - takenBefore);
    }
    takenBefore = output.written();
    if (!takesResponses() && !output.owesResponse()) {
      closeNow();
      return;
    }
    if (output.hasRoom()) {
      reader.serveWaiting();
    }
    finishIfOver();
    updateInterest();
  }

  @Override
  public void goOn() {
    if (pausing && isOpen()) {
      pausing = false;
      read();
    }
    if (isOpen()) {
      reader.goOn();
      NioExchange current = reader.current();
      if (halfClosed && current != null && current.isUpgraded()) {
        endInput(); // the input ended before the connection was upgraded
      }
    }
    readLeft();
    finishIfOver();
    updateInterest();
  }

  /** Pauses or resumes reading the body of an exchange. */
  void holdsBody(NioExchange exchange, boolean holds) {
    if (exchange == reader.current()) {
      holdsBody = holds;
      updateInterest();
    }
  }

  /** Continues reading after the end of a body. */
  void readsOn() {
    holdsBody = false;
    updateInterest();
  }

  /** Makes the current response the last one. Input after its request is not parsed. */
  void last() {
    advance(Phase.LAST);
  }

  /** Passes all input to the upgraded connection, first the bytes that followed the head. */
  void handedOver() {
    last();
    loop.goOnLater(this);
  }

  /** Discards all later input. */
  void skipsInput() {
    advance(Phase.SKIPPING);
  }

  /** Sends a part of a file after the output written so far. */
  void send(FileChannel file, long offset, long length) {
    FilePump.Progress progress = (pump, step) -> loop.execute(() -> moved(pump, step), pump::close);
    output.put(new FilePump(file, offset, length, transport.direct(), server.files(), progress));
  }

  /** Aborts the current response. Complete responses are sent before the connection is closed. */
  void abort() {
    if (!takesResponses()) {
      return;
    }
    advance(Phase.ABORTED);
    NioExchange current = reader.current();
    if (current != null) {
      current.hungUp();
    }
    flush();
  }

  @Override
  void dropRequests() {
    reader.drop();
    reader.serveWaiting(); // it has been counted as a request
    NioExchange current = reader.current();
    if (current != null) {
      current.hungUp();
    }
  }

  /**
   * Closes the connection of a client that has been silent for too long. The state of the loop may
   * be outdated here. It is not changed, except that the channel is closed, which the loop then
   * detects.
   */
  @Override
  public void checkHeld(long now, long held) {
    if (!isBusy() && !isLingering() && isSilent(now, seen ? since : held)) {
      server.close(channel);
    }
  }

  @Override
  public void check(long now) {
    if (!channel.isOpen()) {
      closeNow();
      return;
    }
    reader.settle();
    if (!seen) {
      seen = true;
      since = now;
    }
    long passed = now - since;
    if (isLingering()) {
      if (hasLingered(now)) {
        closeNow();
      }
    } else if (isBusy()) {
      checkBusy(now, passed);
    } else if (isSilent(now, since) || transport.isOverdue(now)) {
      leave();
    } else if (server.draining() && !isBeginning() && passed > GRACE) {
      // A blocked loop may not have read bytes that arrived meanwhile, so wait for a second check.
      if (leaving) {
        leave();
      }
      leaving = true;
    }
  }

  @Override
  public boolean rests() {
    return !isBusy() && !isLingering() && !isBeginning();
  }

  /** Returns true if a request is in progress or output waits to be sent. */
  private boolean isBusy() {
    return reader.current() != null || output.isPending();
  }

  /** Returns true if a request or a TLS handshake has begun to arrive. */
  private boolean isBeginning() {
    return reader.isInHead() || transport.isAgreeing();
  }

  /** Closes a connection on which no request is in progress. */
  private void leave() {
    transport.end();
    closeNow();
  }

  /** Returns true if the client has exceeded the timeout for a head, or for an idle connection. */
  private boolean isSilent(long now, long from) {
    ListenOptions options = server.options();
    Duration most =
        reader.isInHead() || reader.isFresh() ? options.headerTimeout() : options.idleTimeout();
    return now - from - transport.waited(now) > most.toNanos();
  }

  private void checkBusy(long now, long passed) {
    NioExchange exchange = reader.current();
    if (exchange != null) {
      exchange.check(now);
      if (halfClosed && passed > HALF_CLOSED && !exchange.isUpgraded()) {
        closeNow();
        return;
      }
      if (exchange.isAnswered() && passed > UNREAD_BODY) {
        last();
        reader.settle();
      }
    }
    ListenOptions options = server.options();
    boolean isUpgraded = exchange != null && exchange.isUpgraded(); // no minimum rate applies
    boolean isSlow =
        isUpgraded ? output.isStuck(now, options.writeTimeout()) : output.isTooSlow(now, options);
    if (isSlow) {
      reset();
    } else if (output.isToBeTried(now)) {
      flush();
    }
  }

  /** Reads a PROXY header from the socket; returns true once it is complete and accepted. */
  private boolean takes(ProxyHeader header) {
    try {
      ByteBuffer in = loop.memory().in().clear().limit(BodyBuffer.LITTLE);
      if (channel.read(in) < 0) {
        closeNow();
        return false;
      }
      header.take(in.flip());
      if (header.state() == ProxyHeader.State.INVALID) {
        server.admission().lacksHeader(peer);
        closeNow();
      } else if (header.state() == ProxyHeader.State.WHOLE) {
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        transport.unread(rest);
        proxyHeader = null;
        if (!header.client().isEmpty() && !identify(header.client())) {
          closeNow();
        }
      }
      return proxyHeader == null && isOpen();
    } catch (IOException e) {
      closeNow();
      return false;
    }
  }

  @Override
  void read() {
    if (proxyHeader != null && !takes(proxyHeader)) {
      return;
    }
    boolean agreed = !transport.isAgreeing();
    int count;
    try {
      count = transport.read(mostRead());
    } catch (IOException e) {
      closeNow();
      return;
    }
    leaving = false;
    if (protocolDetector != null && !opens(protocolDetector, count)) {
      return;
    }
    reader.settle();
    if (!agreed && !transport.isAgreeing()) {
      enter();
    }
    if (count < 0) {
      endInput();
    } else if (!takesRequests()) {
      discard(count);
    } else if (count > 0) {
      reader.take(loop.memory().read(), count);
      pauseIfTrickling(count);
    }
    finishIfOver();
    updateInterest();
  }

  /** Delays further reads of a head that arrives in small parts, with increasing waits. */
  private void pauseIfTrickling(int count) {
    if (!reader.isInHead()) {
      littles = 0;
      pauses = 0;
      return;
    }
    littles += count < VERY_LITTLE ? 2 : count < LITTLE ? 1 : 0;
    if (littles > 1 && !transport.hasInput()) {
      pausing = true;
      loop.goOnAfter(this, PAUSE << Math.min(pauses++, DOUBLINGS));
    }
  }

  /** Detects the protocol. Returns true if it is HTTP/1.1 and this connection continues. */
  private boolean opens(ProtocolDetector first, int count) {
    byte[] bytes = loop.memory().read();
    int before = first.matched();
    switch (first.look(transport, bytes, count)) {
      case HTTP_1 -> {
        protocolDetector = null;
        reader.take(first.preface(), before);
      }
      case OTHER -> {
        ProtocolHandlerConnection.open(this, first, before, bytes, count);
        return false;
      }
      default -> {
        return count <= 0;
      }
    }
    return true;
  }

  /** Returns the maximum number of bytes to read at once. */
  private int mostRead() {
    NioExchange exchange = reader.current();
    if (!takesRequests()) {
      return BodyBuffer.MAX_PIECE;
    }
    if (exchange != null) {
      return exchange.hasMore() ? exchange.mostRead() : BodyBuffer.LITTLE;
    }
    return server.options().bodyMemory().isPlenty() ? BodyBuffer.MAX_PIECE : BodyBuffer.LITTLE;
  }

  /** Called when the client has closed its output: it has left, or waits for a response. */
  private void endInput() {
    halfClosed = true;
    NioExchange exchange = reader.current();
    if (isLingering() || (exchange != null && !exchange.endsInput())) {
      closeNow();
    } else if (exchange != null || output.isPending()) {
      enter();
    } else if (reader.ahead() == 0) {
      leave();
    }
  }

  /** Returns true if the last response has been written and no request follows. */
  boolean isOver() {
    return !hasReached(Phase.LINGERING)
        && reader.current() == null
        && (isLast() || (halfClosed && reader.ahead() == 0));
  }

  /** Closes the connection once its last response has been sent. */
  private void finishIfOver() {
    if (!isOver() || output.isPending()) {
      return;
    }
    transport.end();
    boolean unread = reader.ahead() > 0 || !takesRequests() || reader.isInHead();
    if ((halfClosed || !unread) && !transport.isFull()) {
      closeNow();
      return;
    }
    reader.drop();
    enter();
    linger();
  }

  /**
   * Records that the connection begins to be idle, to receive a head, or to be busy. The next check
   * sets the time, to avoid reading the clock per request.
   */
  void enter() {
    seen = false;
  }

  private void moved(FilePump file, FilePump.Step step) {
    if (!isOpen()) {
      file.close();
      return;
    }
    try {
      if (output.moved(file, step)) {
        flush();
      } else {
        updateInterest();
      }
    } catch (IOException e) {
      closeNow();
    }
  }

  private void updateInterest() {
    if (isOpen()) {
      updateInterest(!takesRequests() || (!holdsBody && !pausing && reader.ahead() <= MOST_AHEAD));
    }
  }
}
