package dev.percolate.http2;

import dev.percolate.nio.protocol.ProtocolConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of one connection and its number of unfinished requests. Used on its event loop
 * only, except {@link #finished}.
 */
final class Streams implements Http2Exchange.Owner {

  /** The maximum number of open streams. */
  static final int MOST = 100;

  /**
   * The window of the connection, in bytes. It is larger than the windows of all streams together,
   * so that streams that no handler reads never block a stream that a handler reads.
   */
  static final int WINDOW = 8 << 20;

  /** The number of bytes of the connection's window that are returned to the client together. */
  static final int RETURNED = WINDOW / 8;

  /** The maximum number of unfinished requests, including those whose streams have ended. */
  private static final int MOST_UNFINISHED = 2 * MOST;

  private final ProtocolConnection connection;
  private final FrameWriter writer;
  private final FrameBudget budget;
  private final ReceiveWindow window = new ReceiveWindow(WINDOW, RETURNED);
  private final Map<Integer, Http2Exchange> open = new HashMap<>();
  private final RecentStreams recent = new RecentStreams();
  private final AtomicInteger unfinished = new AtomicInteger();
  private volatile @Nullable Runnable onPlace;
  private int last;
  private int lacking;
  private volatile boolean held;

  Streams(ProtocolConnection connection, FrameWriter writer, FrameBudget budget) {
    this.connection = connection;
    this.writer = writer;
    this.budget = budget;
  }

  /** Returns an open stream, or null. */
  @Nullable Http2Exchange get(int id) {
    return open.get(id);
  }

  RecentStreams recent() {
    return recent;
  }

  /** Returns the last stream that the client has opened. */
  int last() {
    return last;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** Returns whether the maximum number of streams or requests is reached. */
  boolean isFull() {
    return open.size() >= MOST || unfinished.get() >= MOST_UNFINISHED;
  }

  /** Returns the number of unfinished requests, including those whose streams have ended. */
  int unfinished() {
    return unfinished.get();
  }

  /** Returns true if a stream waits for the client to send more of a body or to open its window. */
  boolean waitForClient() {
    return open.values().stream().anyMatch(one -> !one.isInputEnded() || one.stream().isShut());
  }

  /**
   * Returns true if reading from the connection must pause: unread bytes fill their part of the
   * memory budget, a stream can buffer no more, no handler waits for bytes, and no response waits
   * for a WINDOW_UPDATE. Otherwise only the stream that can buffer no more stops returning its
   * window, so it does not block other streams.
   */
  boolean holds() {
    boolean holds = mustHold();
    held = holds;
    return holds && mustHold(); // a handler may have started to wait in the meantime
  }

  private boolean mustHold() {
    return lacking > 0
        && !connection.limits().options().bodyMemory().mayReadAhead()
        && open.values().stream().noneMatch(one -> one.isAwaited() || one.stream().isShut());
  }

  /** Returns all open streams. */
  List<Http2Exchange> all() {
    return new ArrayList<>(open.values());
  }

  /** Records that the client has opened a stream. */
  void begin(int id) {
    last = id;
  }

  /** Adds the stream of a request. */
  void add(Http2Exchange exchange) {
    open.put(exchange.id(), exchange);
    unfinished.incrementAndGet();
  }

  /** Takes bytes from the connection's window. */
  void takeWindow(int bytes) throws FrameError {
    if (!window.take(bytes)) {
      throw FrameError.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "DATA exceeds the window");
    }
  }

  /** Adds bytes that no handler will read to the connection's window. */
  void giveBack(int bytes) {
    int increment = window.giveBack(bytes);
    if (increment > 0) {
      writer.windowUpdate(0, increment);
    }
  }

  @Override
  public void giveBack(Http2Exchange exchange, int bytes) {
    int some = exchange.paid(bytes);
    if (some == 0) {
      return;
    }
    giveBack(some);
    int increment = exchange.window().giveBack(some);
    if (increment > 0 && !exchange.isInputEnded()) {
      writer.windowUpdate(exchange.id(), increment);
    }
  }

  @Override
  public void lacksRoom(boolean lacks) {
    lacking += lacks ? 1 : -1;
    if (held && !lacks) {
      connection.readsOn();
    }
  }

  @Override
  public void awaits() {
    if (held) {
      held = false;
      try {
        connection.loop().execute(connection::readsOn, () -> {});
      } catch (RuntimeException | Error e) {
        held = true; // so that check resumes reading
        throw e;
      }
    }
  }

  @Override
  public void answered(Http2Exchange exchange) {
    if (open.get(exchange.id()) != exchange) {
      return; // the stream is already closed
    }
    budget.earn(FrameBudget.RESET);
    if (exchange.isInputEnded()) {
      close(exchange, false);
    } else {
      exchange.drops();
    }
  }

  /** Called when the client has ended a stream. Closes the stream if its response is complete. */
  void ended(Http2Exchange exchange) {
    if (exchange.stream().over) {
      close(exchange, false);
    }
  }

  @Override
  public void reset(Http2Exchange exchange, int code) {
    if (open.get(exchange.id()) == exchange) {
      writer.reset(exchange.id(), code);
      cutOff(exchange, true);
    }
  }

  /** Resets a stream that has no exchange. */
  void reset(int id, int code) {
    writer.reset(id, code);
    recent.add(id, true);
  }

  /** Closes a stream that the client or the server has reset. */
  void cutOff(Http2Exchange exchange, boolean byUs) {
    boolean answered = exchange.stream().over;
    close(exchange, byUs);
    if (!answered) {
      exchange.hungUp();
    }
  }

  private void close(Http2Exchange exchange, boolean reset) {
    if (open.remove(exchange.id(), exchange)) {
      recent.add(exchange.id(), reset);
      giveBack(exchange.close());
    }
  }

  /** Closes all streams because the connection is closed. */
  void closeAll() {
    for (Http2Exchange one : all()) {
      if (open.remove(one.id(), one)) {
        int ignored = one.lost();
        one.hungUp();
      }
    }
  }

  /** Sets the callback that runs on the event loop when the next request is over, or null. */
  void wantsPlace(@Nullable Runnable free) {
    onPlace = free;
  }

  @Override
  public void finished() {
    unfinished.decrementAndGet();
    Runnable free = onPlace;
    if (free != null) {
      onPlace = null;
      connection.loop().execute(free, () -> {});
    }
  }

  /** Checks the timeouts of all streams. */
  void check(long now) {
    for (Http2Exchange one : all()) {
      one.check(now);
    }
    if (held) {
      connection.readsOn(); // other connections may have released memory
    }
  }

  /** The streams that closed most recently. Special rules apply to frames on them. */
  static final class RecentStreams {

    private static final int MOST = 256;

    /** Stream identifiers, negated if the server has reset the stream. */
    private final int[] ids = new int[MOST];

    private int next;

    void add(int id, boolean reset) {
      ids[next] = reset ? -id : id;
      next = (next + 1) % MOST;
    }

    /** Returns true if the server has reset the stream, which the client may not know yet. */
    boolean wasReset(int id) {
      return has(-id);
    }

    /** Returns true if the stream ended normally or the client reset it. */
    boolean hasEnded(int id) {
      return has(id);
    }

    private boolean has(int wanted) {
      for (int id : ids) {
        if (id == wanted) {
          return true;
        }
      }
      return false;
    }
  }
}
