package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.HeadGuard;
import dev.percolate.http.Headers;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Begins the requests of one connection, one after the other; used on its loop only, but for {@link
 * #doneElsewhere}. What comes behind a request under way is kept until that is answered, and its
 * body over.
 */
final class RequestReader {

  /** How long one client may keep the others waiting, with many requests at once. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  private static final byte[] NOTHING = {};

  private final NioConnection connection;
  private final NioLoop loop;
  private final ServerState server;
  private @Nullable HeadParser parser;
  private @Nullable NioExchange current;
  private @Nullable NioExchange waiting;
  private byte[] ahead = NOTHING;
  private BodyMemory.@Nullable Room aheadRoom;

  /** Whether something waits until the request under way is answered, on whichever thread. */
  private volatile boolean awaitsAnswer;

  private boolean taking;
  private boolean fresh = true;

  RequestReader(NioConnection connection, NioLoop loop, ServerState server) {
    this.connection = connection;
    this.loop = loop;
    this.server = server;
  }

  /** Returns the request under way, whose answer or body is not over; null if there is none. */
  @Nullable NioExchange current() {
    return current;
  }

  /** Tells whether no request has come so far. */
  boolean isFresh() {
    return fresh;
  }

  /** Tells whether a head has begun, and is not whole. */
  boolean isInHead() {
    return parser != null;
  }

  /** Returns how many bytes are kept that have come behind the request under way. */
  int ahead() {
    return ahead.length;
  }

  /** Takes bytes that have come; they are not looked at later. */
  void take(byte[] bytes, int count) {
    if (ahead.length == 0) {
      take(bytes, 0, count);
      return;
    }
    byte[] all = Arrays.copyOf(ahead, ahead.length + count);
    System.arraycopy(bytes, 0, all, ahead.length, count);
    drop();
    take(all, 0, all.length);
  }

  /** Goes on with what was kept. */
  void goOn() {
    byte[] kept = ahead;
    if (kept.length > 0) {
      drop();
      take(kept, 0, kept.length);
    }
  }

  /** Drops what was kept. */
  void drop() {
    keep(NOTHING, 0, 0);
  }

  /** Begins a request that has had to wait until the client has read enough. */
  void serveWaiting() {
    NioExchange exchange = waiting;
    waiting = null;
    if (exchange != null) {
      exchange.serve();
    }
  }

  /** Notes that the answer to a request has been handed over. */
  void answered(NioExchange exchange) {
    if (exchange != current) {
      return; // it was never let in
    }
    if (exchange.hasMore()) {
      connection.enter();
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
      loop.execute(() -> settle(exchange), RequestReader::doNothing);
    }
  }

  /** Goes on to the next request if another thread has answered this one. */
  void settle() {
    if (current != null) {
      settle(current);
    }
  }

  /** Goes on to the next request if this one is answered, and its body over. */
  void settle(NioExchange exchange) {
    boolean last = connection.isLast();
    if (exchange != current || !exchange.isAnswered() || (exchange.hasMore() && !last)) {
      return;
    }
    current = null;
    awaitsAnswer = false;
    if (exchange.hasMore()) {
      connection.skipsInput();
    }
    connection.enter();
    if (!taking && (ahead.length > 0 || connection.isOver())) {
      loop.goOnLater(connection);
    }
    connection.readsOn();
  }

  /** Takes bytes as far as requests may be begun with them, and keeps the rest. */
  private void take(byte[] data, int from, int to) {
    taking = true;
    int at = from;
    long begun = 0;
    boolean late = false;
    while (at < to && connection.takesRequests()) {
      NioExchange exchange = current;
      if (exchange != null && exchange.hasMore()) {
        at = exchange.take(data, at, to);
        settle(exchange);
      } else if (exchange != null || connection.isLast()) {
        break;
      } else if (late) {
        loop.goOnLater(connection);
        break;
      } else {
        at = takeHead(data, at, to);
        long now = at < to ? System.nanoTime() : 0;
        begun = begun == 0 ? now : begun;
        late = now - begun > TURN;
      }
    }
    taking = false;
    keep(data, at, connection.takesAnswers() ? to : at);
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
        refuse(new NioExchange(connection, head, Framing.NONE), head.status());
        loop.giveParser(head);
      }
      default -> {
        if (parser == null) {
          parser = head;
          connection.enter();
        }
      }
    }
    return next;
  }

  /** Begins a request, or refuses it; returns where the bytes begin that come behind it. */
  private int begin(HeadParser head, byte[] data, int from, int to) {
    long length = Framing.of(head.version(), head.headers());
    int refusal = length == Framing.DOUBTFUL ? 400 : refusal(head);
    if (refusal != 0) {
      refuse(new NioExchange(connection, head, Framing.NONE), refusal);
      return from;
    }
    NioExchange exchange = new NioExchange(connection, head, length);
    current = exchange;
    connection.enter();
    exchange.begin();
    int next = from < to ? exchange.take(data, from, to) : from;
    if (connection.output().hasRoom()) {
      exchange.serve();
    } else {
      waiting = exchange; // until the client has read enough of the answers before
    }
    return next;
  }

  private int refusal(HeadParser head) {
    int refusal =
        HeadGuard.refusal(
            head.version(), head.method(), head.target(), head.headers(), server.options());
    return refusal == 0 && server.isFull() ? 503 : refusal;
  }

  private void refuse(NioExchange exchange, int status) {
    Headers headers = HeadGuard.answer(status);
    connection.skipsInput();
    exchange.refuse(status, headers);
    Callbacks.run(
        "the rejection callback of the service",
        () -> server.service().refused(exchange, status, headers));
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
      BodyMemory.Room room = connection.share().room();
      room.note(ahead.length);
      aheadRoom = room;
      awaitAnswer();
    }
  }

  /** Has the request under way tell when it is answered, or sees that it has been. */
  private void awaitAnswer() {
    NioExchange exchange = current;
    if (exchange != null && !awaitsAnswer) {
      awaitsAnswer = true;
      settle(exchange);
    }
  }

  private static void doNothing() {} // the connection is gone
}
