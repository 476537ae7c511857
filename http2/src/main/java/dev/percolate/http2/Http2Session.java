package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.http.LogText;
import dev.percolate.nio.protocol.Link;
import dev.percolate.nio.protocol.Requests;
import dev.percolate.nio.protocol.Session;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/2 on one connection: what it is doing, since when, and for how long it may. Used on its loop
 * only.
 *
 * <pre>{@code
 * settings --> streams <--> idle
 *                 |           +--idleTimeout--> GOAWAY --> closed
 *                 +--the server leaves--> GOAWAY (any stream) --a while--> GOAWAY (the last) --> closed
 *                 +--an error of the connection--> GOAWAY --> closed
 * }</pre>
 */
final class Http2Session implements Session {

  private static final System.Logger LOG = System.getLogger("dev.percolate.http2");

  /** How long one client may keep the others waiting, with many frames. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** How many frames are looked at until the clock is. */
  private static final int FEW = 8;

  /** What may wait for a client until no more of it is read: much more than is sent of bodies. */
  private static final int MUCH = 256 << 10;

  /** How long requests may be on their way when the server leaves. */
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(250);

  private static final byte[] NOTHING = {};

  private final Link link;
  private final ListenOptions options;
  private final FrameWriter writer;
  private final Streams streams;
  private final Sender sender;
  private final RequestPlaces places;
  private final FrameHandler handler;
  private final FrameReader reader;
  private final FrameBudget budget = new FrameBudget();
  private byte[] kept = NOTHING;
  private boolean over;
  private boolean leaves;
  private boolean left;
  private boolean inHeaders = true; // as long as the client has not begun
  private boolean idle = true;
  private int lastSeen;
  private long leftAt;
  private long headersSince = System.nanoTime();
  private long idleSince = System.nanoTime();

  Http2Session(Link link, byte[] preface) {
    this.link = link;
    this.options = link.requests().options();
    this.writer = new FrameWriter(link);
    this.streams = new Streams(link, writer, budget);
    this.sender = new Sender(link, writer, budget);
    this.places = new RequestPlaces(link, streams, sender, this::goOnIfWaiting);
    this.handler = new FrameHandler(link, writer, budget, streams, sender, places);
    this.reader = new FrameReader(preface, handler);
  }

  @Override
  public void begin() {
    long list = options.maxHeaderBytes() + (long) options.maxTarget() + 32L * options.maxHeaders();
    writer.settings(
        PeerSettings.MAX_CONCURRENT_STREAMS,
        Streams.MOST,
        PeerSettings.MAX_HEADER_LIST_SIZE,
        (int) Math.min(Integer.MAX_VALUE, list),
        PeerSettings.ENABLE_CONNECT_PROTOCOL,
        1);
    writer.windowUpdate(0, Streams.WINDOW - PeerSettings.WINDOW);
  }

  @Override
  public void take(byte[] bytes, int from, int to) {
    if (kept.length == 0) {
      takeSome(bytes, from, to);
      return;
    }
    int more = to - from;
    byte[] all = Arrays.copyOf(kept, kept.length + more);
    System.arraycopy(bytes, from, all, kept.length, more);
    kept = NOTHING;
    takeSome(all, 0, all.length);
  }

  @Override
  public void goOn() {
    byte[] all = kept;
    kept = NOTHING;
    takeSome(all, 0, all.length);
  }

  private void takeSome(byte[] bytes, int from, int to) {
    long begun = System.nanoTime();
    int at = from;
    int frames = 0;
    boolean late = false;
    boolean waits = false;
    while (at < to && !over && !late) {
      waits = reader.mayReadHeaders(bytes, at, to) && places.mustWait(begun);
      if (waits) {
        break;
      }
      try {
        reader.read(bytes, at, to);
      } catch (FrameError e) {
        failed(e);
      }
      at = reader.next();
      late = ++frames % FEW == 0 && System.nanoTime() - begun > TURN;
    }
    if (at < to && !over) {
      kept = Arrays.copyOfRange(bytes, at, to);
      if (!waits) {
        link.goOnLater();
      }
    }
    streams.wantsPlace(waits ? this::placeIsFree : null);
    if (kept.length == 0) {
      places.leaveTurn();
    }
    if (!over) {
      sender.pump();
      endIfLeft();
    }
    note(begun);
  }

  private boolean goOnIfWaiting() {
    boolean waits = kept.length > 0 && !over;
    if (waits) {
      link.goOnLater();
    }
    return waits;
  }

  private void placeIsFree() {
    boolean ignored = goOnIfWaiting();
  }

  /** Notes since when the client has owed something. */
  private void note(long now) {
    boolean begins = !reader.isBegun() || reader.isInHeaders();
    if (begins && !inHeaders) {
      headersSince = now;
    }
    inHeaders = begins;
  }

  private void failed(FrameError error) {
    if (LOG.isLoggable(Level.DEBUG)) {
      LOG.log(
          Level.DEBUG,
          "stream {0} ends with error {1}: {2}",
          error.stream(),
          error.code(),
          LogText.escape(String.valueOf(error.getMessage())));
    }
    if (error.stream() == 0) {
      end(error.code());
      return;
    }
    try {
      budget.spend(FrameBudget.FAULT); // of which a client has a few
    } catch (FrameError tooMany) {
      end(tooMany.code());
      return;
    }
    Http2Exchange exchange = streams.get(error.stream());
    if (exchange != null) {
      streams.reset(exchange, error.code());
    } else {
      streams.begin(Math.max(error.stream(), streams.last()));
      streams.reset(error.stream(), error.code());
    }
  }

  /** Ends the connection: the client learns why, and what has not been begun. */
  private void end(int code) {
    over = true;
    kept = NOTHING;
    writer.goAway(streams.last(), code);
    streams.closeAll();
    link.end();
  }

  @Override
  public int mostRead() {
    if (over || kept.length > 0 || isHeld() || link.pending() > MUCH) {
      return 0;
    }
    return options.bodyMemory().mayReadAhead() ? BodyBuffer.MAX_PIECE : BodyBuffer.LITTLE;
  }

  /** Returns whether reading must wait; not if a response waits for a WINDOW_UPDATE. */
  private boolean isHeld() {
    return streams.holds() && !sender.isShut();
  }

  @Override
  public void flushed() {
    if (!over) {
      sender.pump();
      endIfLeft();
    }
  }

  @Override
  public void check(long now) {
    if (over) {
      return;
    }
    streams.check(now);
    leaveIfAsked(now);
    boolean nothing = streams.isEmpty() && streams.last() == lastSeen && kept.length == 0;
    if (nothing && !idle) {
      idleSince = now;
    }
    idle = nothing;
    lastSeen = streams.last();
    placeIsFree();
    if (inHeaders && kept.length == 0 && now - headersSince > options.headTimeout().toNanos()) {
      end(ErrorCode.NO_ERROR);
    } else if (idle && !inHeaders && now - idleSince > options.idleTimeout().toNanos()) {
      end(ErrorCode.NO_ERROR);
    } else if (sender.isStuck(now, options)) {
      end(ErrorCode.ENHANCE_YOUR_CALM);
    } else {
      sender.pump();
      endIfLeft();
    }
  }

  /** Leaves in two steps, since requests may be on their way (RFC 9113 section 6.8). */
  private void leaveIfAsked(long now) {
    Requests requests = link.requests();
    if (!leaves && requests.leaving()) {
      leaves = true;
      leftAt = now;
      writer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR);
    } else if (leaves && !left && now - leftAt > GRACE) {
      left = true;
      writer.goAway(handler.limit(), ErrorCode.NO_ERROR);
    }
  }

  private void endIfLeft() {
    if (left && streams.isEmpty()) {
      over = true;
      kept = NOTHING;
      link.end();
    }
  }

  @Override
  public void endInput() {
    if (streams.isEmpty() && !over) {
      over = true;
      link.end();
    }
  }

  @Override
  public boolean isIdle() {
    return streams.isEmpty();
  }

  @Override
  public void closed() {
    over = true;
    places.leaveTurn();
    kept = NOTHING;
    streams.closeAll();
  }
}
