package dev.percolate.http2;

import dev.percolate.nio.protocol.Link;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one connection that are open, and how many requests of it are under way; used on
 * its loop only, but for {@link #finished}.
 */
final class Streams implements Http2Exchange.Owner {

  /** How many may be open at once. */
  static final int MOST = 100;

  /**
   * The window of the connection, in bytes. It is larger than the windows of all streams together,
   * so that streams that no handler reads never block a stream that a handler reads.
   */
  static final int WINDOW = 8 << 20;

  /** The number of bytes of the connection's window that are returned to the client together. */
  static final int RETURNED = WINDOW / 8;

  /** How many requests may be under way, with those whose streams have ended. */
  private static final int MOST_UNFINISHED = 2 * MOST;

  private final Link link;
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

  Streams(Link link, FrameWriter writer, FrameBudget budget) {
    this.link = link;
    this.writer = writer;
    this.budget = budget;
  }

  /** Returns an open stream; null if it is not. */
  @Nullable Http2Exchange get(int id) {
    return open.get(id);
  }

  RecentStreams recent() {
    return recent;
  }

  /** Returns the newest stream of the client. */
  int last() {
    return last;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** Tells whether as many are open as may be. */
  boolean isFull() {
    return open.size() >= MOST || unfinished.get() >= MOST_UNFINISHED;
  }

  /** Returns how many requests are under way, with those whose streams have ended. */
  int unfinished() {
    return unfinished.get();
  }

  /** Tells whether the client owes something to a stream: more of a body, or of its window. */
  boolean waitForClient() {
    return open.values().stream().anyMatch(one -> !one.isInputEnded() || one.stream().isShut());
  }

  /**
   * Returns whether the connection must not be read now: unread bytes fill their part of the
   * budget, a stream has no room, no handler waits for bytes, and no response for the client's
   * WINDOW_UPDATE. Otherwise a stream without room only has its own window withheld, so that it
   * does not block other streams.
   */
  boolean holds() {
    boolean holds = mustHold();
    held = holds;
    return holds && mustHold(); // a handler may have begun to wait
  }

  private boolean mustHold() {
    return lacking > 0
        && !link.requests().options().bodyMemory().mayReadAhead()
        && open.values().stream().noneMatch(one -> one.isAwaited() || one.stream().isShut());
  }

  /** Returns all that are open. */
  List<Http2Exchange> all() {
    return new ArrayList<>(open.values());
  }

  /** Notes that the client has begun a stream, whatever becomes of it. */
  void begin(int id) {
    last = id;
  }

  /** Adds a stream on which a request has come. */
  void add(Http2Exchange exchange) {
    open.put(exchange.id(), exchange);
    unfinished.incrementAndGet();
  }

  /** Takes what counts in the window of the connection. */
  void takeWindow(int bytes) throws FrameError {
    if (!window.take(bytes)) {
      throw FrameError.ofConnection(ErrorCode.FLOW_CONTROL_ERROR, "more than may come");
    }
  }

  /** Gives back what nobody will read. */
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
      link.readsOn();
    }
  }

  @Override
  public void awaits() {
    if (held) {
      held = false;
      try {
        link.loop().execute(link::readsOn, () -> {});
      } catch (RuntimeException | Error e) {
        held = true; // so that check resumes reading
        throw e;
      }
    }
  }

  @Override
  public void answered(Http2Exchange exchange) {
    if (open.get(exchange.id()) != exchange) {
      return; // it was refused
    }
    budget.earn(FrameBudget.RESET);
    if (exchange.isInputEnded()) {
      close(exchange, false);
    } else {
      exchange.drops();
    }
  }

  /** Notes that both sides have said all on a stream. */
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

  /** Resets a stream on which there is nothing. */
  void reset(int id, int code) {
    writer.reset(id, code);
    recent.add(id, true);
  }

  /** Ends a stream that client or server have reset. */
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

  /** Ends all: the connection is gone. */
  void closeAll() {
    for (Http2Exchange one : all()) {
      if (open.remove(one.id(), one)) {
        int ignored = one.lost();
        one.hungUp();
      }
    }
  }

  /** Has somebody notified on the loop when a request is over; null for nobody. */
  void wantsPlace(@Nullable Runnable free) {
    onPlace = free;
  }

  @Override
  public void finished() {
    unfinished.decrementAndGet();
    Runnable free = onPlace;
    if (free != null) {
      onPlace = null;
      link.loop().execute(free, () -> {});
    }
  }

  /** Looks which clients take too long. */
  void check(long now) {
    for (Http2Exchange one : all()) {
      one.check(now);
    }
    if (held) {
      link.readsOn(); // other connections may have released room
    }
  }
}
