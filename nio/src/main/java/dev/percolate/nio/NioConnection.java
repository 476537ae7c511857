package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.wire.ProxyHeader;
import dev.percolate.nio.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: what it is doing, since when, and for how long it may. Used on its loop only.
 *
 * <pre>
 *   IDLE --bytes--> HEAD --whole--> BUSY --answered, body read--> IDLE
 *                     |               +--last answer--> LINGERING --> closed
 *                     +--refused------------------------------^
 * </pre>
 *
 * <p>Requests are begun one after the other: what comes behind one under way is kept, up to a
 * bound, and then not read. Behind a last answer the output is closed, and the input read for a
 * while: who closes a connection with unread bytes resets it, and the client may lose the answer.
 */
final class NioConnection extends LoopConnection {

  /** What a client may send behind a request before that is answered. */
  private static final int MOST_AHEAD = 4 << 10;

  /** How long a request may be on its way when the server is closed. */
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(250);

  /** A head that comes in two pieces of fewer bytes trickles. */
  private static final int LITTLE = 256;

  /** A head does from one piece of fewer bytes on. */
  private static final int VERY_LITTLE = 16;

  /** How long a head that trickles is not read, which costs less than all of its pieces. */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(64);

  /** How often that time is doubled. */
  private static final int DOUBLINGS = 2;

  /** How long a body that nobody has read may go on behind the answer. */
  private static final long UNREAD_BODY = TimeUnit.SECONDS.toNanos(1);

  private final RequestReader reader;

  /** Reads the PROXY header of a trusted proxy; null once it is complete, and for other peers. */
  private @Nullable ProxyHeader proxyHeader;

  /** Finds out what is spoken; null as soon as that is HTTP/1.1. */
  private @Nullable Opening opening;

  private int littles;
  private int pauses;
  private boolean pausing;
  private boolean holdsBody;
  private boolean skips;
  private boolean last;
  private boolean aborted;
  private boolean seen = true;
  private boolean leaving;
  private long since = System.nanoTime();
  private long takenBefore;

  private NioConnection(NioLoop loop, ServerState server, SocketChannel channel, InetAddress peer) {
    super(loop, server, channel, peer);
    this.reader = new RequestReader(this, loop, server);
    this.proxyHeader = server.admission().sendsHeader(peer) ? new ProxyHeader() : null;
    this.opening = Opening.of(server);
  }

  /** Adds a connection to its loop, which looks after it from now on; on the loop. */
  static void open(NioLoop loop, ServerState server, SocketChannel channel, InetAddress peer)
      throws IOException {
    NioConnection added = new NioConnection(loop, server, channel, peer);
    added.enter();
    added.join();
  }

  NioLoop loop() {
    return loop;
  }

  Output output() {
    return output;
  }

  Wire wire() {
    return wire;
  }

  RequestReader reader() {
    return reader;
  }

  /** Tells whether answers still go out. */
  boolean takesAnswers() {
    return !closed && !aborted;
  }

  /** Returns true until the connection is closed; what waits may still go out. */
  boolean isOpen() {
    return !closed;
  }

  /** Tells whether the answer under way is the last one. */
  boolean isLast() {
    return last;
  }

  /** Tells whether what comes is read for requests. */
  boolean takesRequests() {
    return !closed && !skips;
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
    if (aborted && !output.owesAnswer()) {
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
    if (pausing && !closed) {
      pausing = false;
      read();
    }
    if (!closed) {
      reader.goOn();
      NioExchange current = reader.current();
      if (halfClosed && current != null && current.isUpgraded()) {
        endInput(); // which came before the connection was handed over
      }
    }
    readLeft();
    finishIfOver();
    updateInterest();
  }

  /** Reads no more of the body of an exchange, or goes on. */
  void holdsBody(NioExchange exchange, boolean holds) {
    if (exchange == reader.current()) {
      holdsBody = holds;
      updateInterest();
    }
  }

  /** Reads on behind a body that is over. */
  void readsOn() {
    holdsBody = false;
    updateInterest();
  }

  /** Makes the answer under way the last one: what was sent behind its request is not read. */
  void last() {
    last = true;
  }

  /** Passes on from now on what comes, first of all what has come behind the head. */
  void handedOver() {
    last = true;
    loop.goOnLater(this);
  }

  /** Takes no sense from now on of what comes; it is read only for the client's sake. */
  void skipsInput() {
    skips = true;
    last = true;
  }

  /** Sends a part of a file behind what was written. */
  void send(FileChannel file, long offset, long length) {
    FilePump.Progress progress = (pump, step) -> loop.execute(() -> moved(pump, step), pump::close);
    output.put(new FilePump(file, offset, length, wire.direct(), server.files(), progress));
  }

  /** Cuts off the answer under way: the connection is closed behind those that are whole. */
  void abort() {
    if (closed || aborted) {
      return;
    }
    aborted = true;
    skipsInput();
    NioExchange current = reader.current();
    if (current != null) {
      current.hungUp();
    }
    flush();
  }

  @Override
  void dropRequests() {
    reader.drop();
    reader.serveWaiting(); // it counts as let in
    NioExchange current = reader.current();
    if (current != null) {
      current.hungUp();
    }
  }

  /**
   * Closes the connection of a client that has been silent for too long. What the loop knows may be
   * seen late here; it is not changed, but for the channel, which the loop then finds closed.
   */
  @Override
  public void checkHeld(long now, long held) {
    if (!isBusy() && !lingering && isSilent(now, seen ? since : held)) {
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
    if (lingering) {
      if (hasLingered(now)) {
        closeNow();
      }
    } else if (isBusy()) {
      checkBusy(now, passed);
    } else if (isSilent(now, since) || wire.isOverdue(now)) {
      leave();
    } else if (server.draining() && !isBeginning() && passed > GRACE) {
      // A loop that has stood still has not read what came meanwhile: it looks twice.
      if (leaving) {
        leave();
      }
      leaving = true;
    }
  }

  @Override
  public boolean rests() {
    return !isBusy() && !lingering && !isBeginning();
  }

  /** Tells whether a request is under way, or what was written waits for the client. */
  private boolean isBusy() {
    return reader.current() != null || output.isPending();
  }

  /** Tells whether something has begun to come that may become a request. */
  private boolean isBeginning() {
    return reader.isInHead() || wire.isAgreeing();
  }

  /** Closes a connection on which nothing is under way. */
  private void leave() {
    wire.end();
    closeNow();
  }

  /** Tells whether the client takes longer than it may until a head is whole, or begins. */
  private boolean isSilent(long now, long from) {
    ListenOptions options = server.options();
    Duration most =
        reader.isInHead() || reader.isFresh() ? options.headTimeout() : options.idleTimeout();
    return now - from - wire.waited(now) > most.toNanos();
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
        last = true;
        reader.settle();
      }
    }
    ListenOptions options = server.options();
    boolean isUpgraded = exchange != null && exchange.isUpgraded(); // it has no minimum rate
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
        wire.unread(rest);
        proxyHeader = null;
        if (!header.client().isEmpty() && !identify(header.client())) {
          closeNow();
        }
      }
      return proxyHeader == null && !closed;
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
    boolean agreed = !wire.isAgreeing();
    int count;
    try {
      count = wire.read(mostRead());
    } catch (IOException e) {
      closeNow();
      return;
    }
    leaving = false;
    if (opening != null && !opens(opening, count)) {
      return;
    }
    reader.settle();
    if (!agreed && !wire.isAgreeing()) {
      enter();
    }
    if (count < 0) {
      endInput();
    } else if (lingering || skips) {
      discard(count);
    } else if (count > 0) {
      reader.take(loop.memory().read(), count);
      pauseIfTrickling(count);
    }
    finishIfOver();
    updateInterest();
  }

  /** Reads a head that comes in small pieces now and then only, more and more rarely. */
  private void pauseIfTrickling(int count) {
    if (!reader.isInHead()) {
      littles = 0;
      pauses = 0;
      return;
    }
    littles += count < VERY_LITTLE ? 2 : count < LITTLE ? 1 : 0;
    if (littles > 1 && !wire.hasInput()) {
      pausing = true;
      loop.goOnAfter(this, PAUSE << Math.min(pauses++, DOUBLINGS));
    }
  }

  /** Finds out what the connection speaks; tells whether to go on in HTTP/1.1. */
  private boolean opens(Opening first, int count) {
    byte[] bytes = loop.memory().read();
    int before = first.matched();
    switch (first.look(wire, bytes, count)) {
      case HTTP_1 -> {
        opening = null;
        reader.take(first.preface(), before);
      }
      case OTHER -> {
        SessionConnection.open(this, first, before, bytes, count);
        return false;
      }
      default -> {
        return count <= 0;
      }
    }
    return true;
  }

  /** Returns how many bytes may be read at once. */
  private int mostRead() {
    NioExchange exchange = reader.current();
    if (lingering || skips) {
      return BodyBuffer.MAX_PIECE;
    }
    if (exchange != null) {
      return exchange.hasMore() ? exchange.mostRead() : BodyBuffer.LITTLE;
    }
    return server.options().bodyMemory().isPlenty() ? BodyBuffer.MAX_PIECE : BodyBuffer.LITTLE;
  }

  /** Notes that the client sends no more: it has gone, or waits for what it has asked for. */
  private void endInput() {
    halfClosed = true;
    NioExchange exchange = reader.current();
    if (lingering || (exchange != null && !exchange.endsInput())) {
      closeNow();
    } else if (exchange != null || output.isPending()) {
      enter();
    } else if (reader.ahead() == 0) {
      leave();
    }
  }

  /** Tells whether the last answer is on its way, and nothing is to follow. */
  boolean isOver() {
    return !closed
        && !lingering
        && reader.current() == null
        && (last || (halfClosed && reader.ahead() == 0));
  }

  /** Closes the connection behind its last answer, when that has gone out. */
  private void finishIfOver() {
    if (!isOver() || output.isPending()) {
      return;
    }
    wire.end();
    boolean unread = reader.ahead() > 0 || skips || reader.isInHead();
    if ((halfClosed || !unread) && !wire.isFull()) {
      closeNow();
      return;
    }
    reader.drop();
    enter();
    linger();
  }

  /** Begins a phase; the clock is read when it is looked at first, not for each request. */
  void enter() {
    seen = false;
  }

  private void moved(FilePump file, FilePump.Step step) {
    if (closed) {
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
    if (!closed) {
      updateInterest(
          lingering || skips || (!holdsBody && !pausing && reader.ahead() <= MOST_AHEAD));
    }
  }
}
