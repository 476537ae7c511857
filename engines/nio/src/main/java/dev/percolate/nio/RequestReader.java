package dev.percolate.nio;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.HeadGuard;
import dev.percolate.http.Headers;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Begins the requests of a connection, one after the other. Used on its event loop only, except
 * {@link #doneElsewhere}. Bytes that follow the current request are kept until its response is
 * written and its body has ended.
 */
final class RequestReader {

  /** How long one client with many requests may delay the others, in nanoseconds. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  private static final byte[] NOTHING = {};

  private final NioConnection connection;
  private final NioLoop loop;
  private final ServerState server;
  private @Nullable HeadParser parser;
  private @Nullable NioExchange current;
  private @Nullable NioExchange waiting;
  private byte[] ahead = NOTHING;
  private BodyMemory.@Nullable Reservation aheadRoom;

  /** Whether the loop must be notified when the current request has a response. */
  private volatile boolean awaitsResponse;

  private boolean taking;
  private boolean fresh = true;

  RequestReader(NioConnection connection, NioLoop loop, ServerState server) {
    this.connection = connection;
    this.loop = loop;
    this.server = server;
  }

  /**
   * Returns the current request, until its response is written and its body has ended; null if
   * there is none.
   */
  @Nullable NioExchange current() {
    return current;
  }

  /** Returns true if no request has arrived so far. */
  boolean isFresh() {
    return fresh;
  }

  /** Returns true if a head has begun and is incomplete. */
  boolean isInHead() {
    return parser != null;
  }

  /** Returns the number of kept bytes, which follow the current request. */
  int ahead() {
    return ahead.length;
  }

  /** Receives bytes. The array is not used after the call. */
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

  /** Continues with the kept bytes. */
  void goOn() {
    byte[] kept = ahead;
    if (kept.length > 0) {
      drop();
      take(kept, 0, kept.length);
    }
  }

  /** Discards the kept bytes. */
  void drop() {
    keep(NOTHING, 0, 0);
  }

  /** Begins a request that had to wait until the client has read earlier responses. */
  void serveWaiting() {
    NioExchange exchange = waiting;
    waiting = null;
    if (exchange != null) {
      exchange.serve();
    }
  }

  /** Called when the response to a request has been passed to the connection. */
  void answered(NioExchange exchange) {
    if (exchange != current) {
      return; // it was rejected
    }
    if (exchange.hasMore()) {
      connection.enter();
      exchange.discardBody();
    }
    settle(exchange);
  }

  /**
   * Called when another thread has written a complete response. The loop is notified only if bytes
   * wait for that; otherwise it notices when it next processes the connection.
   */
  void doneElsewhere(NioExchange exchange) {
    if (awaitsResponse) {
      loop.execute(() -> settle(exchange), RequestReader::doNothing);
    }
  }

  /** Continues with the next request if another thread has responded to the current one. */
  void settle() {
    if (current != null) {
      settle(current);
    }
  }

  /** Continues with the next request if this one has a response and its body has ended. */
  void settle(NioExchange exchange) {
    boolean last = connection.isLast();
    if (exchange != current || !exchange.isAnswered() || (exchange.hasMore() && !last)) {
      return;
    }
    current = null;
    awaitsResponse = false;
    if (exchange.hasMore()) {
      connection.skipsInput();
    }
    connection.enter();
    if (!taking && (ahead.length > 0 || connection.isOver())) {
      loop.goOnLater(connection);
    }
    connection.readsOn();
  }

  /** Begins as many requests as possible and keeps the remaining bytes. */
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
    keep(data, at, connection.takesResponses() ? to : at);
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
        reject(new NioExchange(connection, head, HeadParser.NO_BODY), head.status());
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

  /** Begins or rejects a request. Returns the index after its last byte. */
  private int begin(HeadParser head, byte[] data, int from, int to) {
    long length = head.bodyLength();
    int rejection = length == HeadParser.DOUBTFUL ? 400 : rejection(head);
    if (rejection != 0) {
      reject(new NioExchange(connection, head, HeadParser.NO_BODY), rejection);
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
      waiting = exchange; // until the client has read enough of earlier responses
    }
    return next;
  }

  private int rejection(HeadParser head) {
    int rejection =
        HeadGuard.rejection(
            head.version(), head.method(), head.target(), head.headers(), server.options());
    return rejection == 0 && server.isFull() ? 503 : rejection;
  }

  private void reject(NioExchange exchange, int status) {
    Headers headers = HeadGuard.rejectionHeaders(status);
    connection.skipsInput();
    exchange.reject(status, headers);
  }

  /** Keeps bytes that cannot be processed yet. They count as body memory. */
  private void keep(byte[] data, int from, int to) {
    BodyMemory.Reservation before = aheadRoom;
    aheadRoom = null;
    if (before != null) {
      before.release();
    }
    ahead = from == to ? NOTHING : Arrays.copyOfRange(data, from, to);
    if (ahead.length > 0) {
      BodyMemory.Reservation reservation = connection.share().reservation();
      reservation.note(ahead.length);
      aheadRoom = reservation;
      awaitResponse();
    }
  }

  /**
   * Requests a notification when the current request has a response, or continues if it has one.
   */
  private void awaitResponse() {
    NioExchange exchange = current;
    if (exchange != null && !awaitsResponse) {
      awaitsResponse = true;
      settle(exchange);
    }
  }

  private static void doNothing() {} // the connection is closed
}
