package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.parts.BodyBuffer;
import dev.percolate.http.Headers;
import dev.percolate.http.IpText;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
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
 * while: whoever closes a connection with unread bytes resets it, and the client may lose the
 * answer.
 */
final class Connection implements LoopMember {

  /** What a client may send behind a request before that is answered. */
  private static final int MOST_AHEAD = 4 << 10;

  /** How long a request may be on its way when the server is closed. */
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(250);

  /** How long a body that nobody has read may go on behind the answer. */
  private static final long UNREAD_BODY = TimeUnit.SECONDS.toNanos(1);

  /** How long a client that sends no more may wait for its answer, which it may not want. */
  private static final long HALF_CLOSED = TimeUnit.SECONDS.toNanos(2);

  /** How long, and how much, is read behind the last answer. */
  private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

  private static final long LINGER_BYTES = 16 << 20;

  /** How long one client may keep the others waiting, with many requests at once. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  private static final byte[] NOTHING = {};
  private static final Runnable NOT_DONE = () -> {}; // the connection is gone

  private final Loop loop;
  private final ServerState server;
  private final SocketChannel channel;
  private final InetAddress peer;
  private final Output output;
  private final SelectionKey key;
  private int place;
  private int interest = SelectionKey.OP_READ;
  private @Nullable HeadParser parser;
  private @Nullable NioExchange current;
  private @Nullable NioExchange waiting;
  private byte[] ahead = NOTHING;

  /** Whether something waits until the request under way is answered, on whichever thread. */
  private volatile boolean awaitsAnswer;

  private BodyMemory.@Nullable Share share;
  private BodyMemory.@Nullable Room aheadRoom;
  private boolean taking;
  private boolean holdsBody;
  private boolean skips;
  private boolean last;
  private boolean lingering;
  private boolean halfClosed;
  private boolean closed;
  private boolean unflushed;
  private boolean fresh = true;
  private boolean seen = true;
  private boolean leaving;
  private long since = System.nanoTime();
  private long lingered;
  private long takenBefore;
  private long stuckAt = -1;
  private long stuckSince;

  /** Adds a connection to its loop; on the loop. */
  Connection(Loop loop, ServerState server, SocketChannel channel, InetAddress peer)
      throws IOException {
    this.loop = loop;
    this.server = server;
    this.channel = channel;
    this.peer = peer;
    this.output = new Output(channel, loop.memory());
    this.key = loop.add(this, channel);
  }

  Loop loop() {
    return loop;
  }

  ServerState server() {
    return server;
  }

  Output output() {
    return output;
  }

  SocketChannel channel() {
    return channel;
  }

  HeadWriter heads() {
    return loop.heads();
  }

  boolean isClosed() {
    return closed;
  }

  boolean draining() {
    return server.draining();
  }

  String remoteAddress() {
    return IpText.canonical(peer.getHostAddress());
  }

  /** Returns what all exchanges of the connection may take of the memory for bodies. */
  BodyMemory.Share share() {
    BodyMemory.Share known = share;
    if (known == null) {
      known = server.options().bodyMemory().share(peer.getHostAddress());
      share = known;
    }
    return known;
  }

  @Override
  public int place() {
    return place;
  }

  @Override
  public void place(int at) {
    place = at;
  }

  @Override
  public void ready(int operations) {
    if ((operations & SelectionKey.OP_WRITE) != 0) {
      flush();
    }
    if ((operations & SelectionKey.OP_READ) != 0 && !closed) {
      read();
    }
  }

  @Override
  public void flush() {
    unflushed = false;
    if (closed) {
      return;
    }
    try {
      if (output.flush()) {
        flushLater();
      }
      if (current != null) {
        current.moved(output.written() - takenBefore);
      }
      takenBefore = output.written();
    } catch (IOException e) {
      closeNow();
      return;
    }
    if (waiting != null && output.hasRoom()) {
      serveWaiting();
    }
    finishIfOver();
    updateInterest();
  }

  @Override
  public void goOn() {
    if (!closed && ahead.length > 0) {
      byte[] data = ahead;
      keep(NOTHING, 0, 0);
      take(data, 0, data.length);
    }
    finishIfOver();
    updateInterest();
  }

  /** Has what was written given to the kernel in the end of the turn. */
  void flushLater() {
    if (!unflushed) {
      unflushed = true;
      loop.flushLater(this);
    }
  }

  /** Reads no more of the body of an exchange, or goes on. */
  void holdsBody(NioExchange exchange, boolean holds) {
    if (exchange == current) {
      holdsBody = holds;
      updateInterest();
    }
  }

  /** Makes the answer under way the last one: what was sent behind its request is not read. */
  void last() {
    last = true;
  }

  /** Takes no sense from now on of what comes; it is read only for the client's sake. */
  void skipsInput() {
    skips = true;
    last = true;
  }

  /** Sends a part of a file behind what was written. */
  void send(FileChannel file, long offset, long length) {
    FileSender[] sender = new FileSender[1];
    sender[0] =
        new FileSender(
            file,
            offset,
            length,
            channel,
            server.files(),
            (sent, failure) ->
                loop.execute(() -> sent(sender[0], sent, failure), sender[0]::close));
    output.put(sender[0]);
  }

  /** Notes that the answer to a request has been handed over. */
  void answered(NioExchange exchange) {
    if (exchange != current) {
      return; // it was never let in
    }
    if (exchange.hasMore()) {
      enter();
      exchange.discardBody();
    }
    settle(exchange);
  }

  /**
   * Notes that another thread has written a whole answer. As long as nothing waits for that, the
   * loop need not know: it sees so itself when it next looks at the connection.
   */
  void doneElsewhere(NioExchange exchange) {
    if (awaitsAnswer) {
      loop.execute(() -> settle(exchange), NOT_DONE);
    }
  }

  /** Goes on to the next request if another thread has answered this one. */
  private void settle() {
    if (current != null) {
      settle(current);
    }
  }

  /** Goes on to the next request if this one is answered, and its body over. */
  void settle(NioExchange exchange) {
    if (exchange != current || !exchange.isAnswered() || (exchange.hasMore() && !last)) {
      return;
    }
    current = null;
    awaitsAnswer = false;
    holdsBody = false;
    skips |= exchange.hasMore();
    enter();
    if (!taking && (ahead.length > 0 || isOver())) {
      loop.goOnLater(this);
    }
    updateInterest();
  }

  /** Closes the connection now, but for answers that are complete; the rest is cut off. */
  void abort() {
    if (!closed) {
      try {
        boolean ignored = output.flush();
      } catch (IOException e) {
        // there is nobody to write to
      }
      closeNow();
    }
  }

  @Override
  public void closeNow() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      // it is gone all the same
    }
    server.admission().left(peer);
    keep(NOTHING, 0, 0);
    serveWaiting(); // it counts as let in
    if (current != null) {
      current.hungUp();
    }
    output.fail(new ClientGone(null));
    loop.remove(this);
  }

  @Override
  public void check(long now) {
    settle();
    if (!seen) {
      seen = true;
      since = now;
    }
    ListenOptions options = server.options();
    long passed = now - since;
    if (lingering) {
      if (passed > LINGER) {
        closeNow();
      }
    } else if (current != null || output.isPending()) {
      checkBusy(now, passed);
    } else if (parser != null) {
      if (passed > options.headTimeout().toNanos()) {
        closeNow();
      }
    } else if (passed > (fresh ? options.headTimeout() : options.idleTimeout()).toNanos()) {
      closeNow();
    } else if (server.draining() && passed > GRACE) {
      // A loop that has stood still has not read what came meanwhile: it looks twice.
      if (leaving) {
        closeNow();
      }
      leaving = true;
    }
  }

  private void checkBusy(long now, long passed) {
    NioExchange exchange = current;
    if (exchange != null) {
      exchange.check(now);
      if (halfClosed && passed > HALF_CLOSED) {
        closeNow();
        return;
      }
      if (exchange.isAnswered() && passed > UNREAD_BODY) {
        last = true;
        settle(exchange);
      }
    }
    checkOutput(now);
  }

  private void checkOutput(long now) {
    long taken = output.written();
    if (!output.isPending() || taken != stuckAt) {
      stuckAt = output.isPending() ? taken : -1;
      stuckSince = now;
    } else if (now - stuckSince > server.options().writeTimeout().toNanos()) {
      closeNow();
    }
  }

  private void read() {
    ByteBuffer in = loop.memory().in().clear();
    int count;
    try {
      count = channel.read(in.limit(mostRead()));
    } catch (IOException e) {
      closeNow();
      return;
    }
    leaving = false;
    settle();
    if (count < 0) {
      endInput();
    } else if (lingering || skips) {
      lingered += count;
      if (lingered > LINGER_BYTES) {
        closeNow();
      }
    } else if (ahead.length > 0) {
      byte[] data = Arrays.copyOf(ahead, ahead.length + count);
      in.get(0, data, ahead.length, count);
      keep(NOTHING, 0, 0);
      take(data, 0, data.length);
    } else {
      byte[] data = loop.memory().read();
      in.get(0, data, 0, count);
      take(data, 0, count);
    }
    finishIfOver();
    updateInterest();
  }

  /** Returns how many bytes may be read at once. */
  private int mostRead() {
    NioExchange exchange = current;
    if (lingering || skips) {
      return BodyBuffer.MAX_PIECE;
    }
    if (exchange != null) {
      return exchange.hasMore() ? exchange.mostRead() : BodyBuffer.LITTLE;
    }
    return server.options().bodyMemory().isPlenty() ? BodyBuffer.MAX_PIECE : BodyBuffer.LITTLE;
  }

  /** Takes bytes as far as requests may be begun with them, and keeps the rest. */
  private void take(byte[] data, int from, int to) {
    taking = true;
    int at = from;
    long begun = 0;
    boolean late = false;
    while (at < to && !closed && !skips) {
      NioExchange exchange = current;
      if (exchange != null && exchange.hasMore()) {
        at = exchange.take(data, at, to);
        settle(exchange);
      } else if (exchange != null || last) {
        break;
      } else if (late) {
        loop.goOnLater(this);
        break;
      } else {
        at = takeHead(data, at, to);
        long now = at < to ? System.nanoTime() : 0;
        begun = begun == 0 ? now : begun;
        late = now - begun > TURN;
      }
    }
    taking = false;
    keep(data, at, closed ? at : to);
  }

  private int takeHead(byte[] data, int from, int to) {
    HeadParser head = parser == null ? loop.takeParser() : parser;
    int next = head.parse(data, from, to);
    switch (head.state()) {
      case WHOLE -> {
        parser = null;
        fresh = false;
        next = begin(head, data, next, to);
        loop.giveParser(head);
      }
      case REFUSED -> {
        parser = null;
        refuse(new NioExchange(this, head, Framing.NONE), head.status());
        loop.giveParser(head);
      }
      default -> {
        if (parser == null) {
          parser = head;
          enter();
        }
      }
    }
    return next;
  }

  /** Begins a request, or refuses it; returns where the bytes begin that come behind it. */
  private int begin(HeadParser head, byte[] data, int from, int to) {
    long length = Framing.of(head.version(), head.headers());
    int refusal =
        length == Framing.DOUBTFUL
            ? 400
            : HeadGuard.refusal(
                head.version(),
                head.method(),
                head.target(),
                head.headers(),
                server.options().maxHeaders());
    if (refusal == 0 && server.isFull()) {
      refusal = 503;
    }
    NioExchange exchange = new NioExchange(this, head, refusal == 0 ? length : Framing.NONE);
    if (refusal != 0) {
      refuse(exchange, refusal);
      return from;
    }
    current = exchange;
    enter();
    exchange.begin();
    int next = from < to ? exchange.take(data, from, to) : from;
    if (output.hasRoom()) {
      exchange.serve();
    } else {
      waiting = exchange; // until the client has read enough of the answers before
    }
    return next;
  }

  private void refuse(NioExchange exchange, int status) {
    Headers headers = HeadGuard.answer(status);
    skipsInput();
    exchange.refuse(status, headers);
    server.service().refused(exchange, status, headers);
  }

  private void serveWaiting() {
    NioExchange exchange = waiting;
    waiting = null;
    if (exchange != null) {
      exchange.serve();
    }
  }

  /** Keeps what cannot be taken yet; it counts in the budget of bodies. */
  private void keep(byte[] data, int from, int to) {
    BodyMemory.Room before = aheadRoom;
    aheadRoom = null;
    if (before != null) {
      before.release();
    }
    ahead = from == to ? NOTHING : Arrays.copyOfRange(data, from, to);
    if (ahead.length > 0) {
      awaitAnswer();
      BodyMemory.Room room = share().room();
      room.note(ahead.length);
      aheadRoom = room;
    }
  }

  /** Has the request under way tell when it is answered, or sees that it has been. */
  private void awaitAnswer() {
    NioExchange exchange = current;
    if (exchange != null && !awaitsAnswer) {
      awaitsAnswer = true;
      if (exchange.isAnswered() && !taking) {
        settle(exchange);
      }
    }
  }

  /** Notes that the client sends no more: it has gone, or waits for what it has asked for. */
  private void endInput() {
    halfClosed = true;
    if (lingering || (current != null && current.hasMore())) {
      closeNow();
    } else if (current != null || output.isPending()) {
      enter();
    } else if (ahead.length == 0) {
      closeNow();
    }
  }

  /** Tells whether the last answer is on its way, and nothing is to follow. */
  private boolean isOver() {
    return !closed && !lingering && current == null && (last || (halfClosed && ahead.length == 0));
  }

  /** Closes the connection behind its last answer, when that has gone out. */
  private void finishIfOver() {
    if (!isOver() || output.isPending()) {
      return;
    }
    if (halfClosed || (ahead.length == 0 && !skips && parser == null)) {
      closeNow();
      return;
    }
    lingering = true;
    keep(NOTHING, 0, 0);
    enter();
    try {
      SocketChannel ignored = channel.shutdownOutput();
    } catch (IOException e) {
      closeNow();
    }
  }

  /** Begins a phase; the clock is read when it is looked at first, not for each request. */
  private void enter() {
    seen = false;
  }

  private void sent(FileSender file, long bytes, @Nullable Throwable failure) {
    boolean all = file.sent(bytes);
    if (closed) {
      file.close();
    } else if (failure != null) {
      closeNow();
    } else {
      output.sent(bytes, all);
      if (all) {
        flush();
      } else {
        updateInterest();
      }
    }
  }

  private void updateInterest() {
    if (closed) {
      return;
    }
    boolean reads =
        !halfClosed && (lingering || skips || (!holdsBody && ahead.length <= MOST_AHEAD));
    int wanted = (reads ? SelectionKey.OP_READ : 0) | (output.isFull() ? SelectionKey.OP_WRITE : 0);
    if (wanted != interest) {
      interest = wanted;
      key.interestOps(wanted);
    }
  }
}
