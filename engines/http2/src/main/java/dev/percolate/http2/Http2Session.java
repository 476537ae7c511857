package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.LogText;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.protocol.ProtocolConnection;
import dev.percolate.nio.protocol.ProtocolHandler;
import dev.percolate.nio.protocol.ServerLimits;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/2 on one connection: its state and its timeouts. Used on its event loop only.
 *
 * <pre>{@code
 * settings --> streams <--> idle
 *                 |           +--idleTimeout--> GOAWAY --> closed
 *                 +--shutdown--> GOAWAY (any stream) --GRACE--> GOAWAY (last stream) --> closed
 *                 +--connection error--> GOAWAY --> closed
 * }</pre>
 */
final class Http2Session implements ProtocolHandler {

  private static final System.Logger LOG = System.getLogger("dev.percolate.http2");

  /** How long one client may occupy the event loop with frames, in nanoseconds. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** The number of frames between two reads of the clock. */
  private static final int FEW = 8;

  /**
   * The number of unsent bytes at which the server stops reading from the client. Response bodies
   * alone never reach it.
   */
  private static final int MUCH = 256 << 10;

  /** How long requests may still arrive after the first GOAWAY of a shutdown, in nanoseconds. */
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(250);

  private static final byte[] NOTHING = {};

  private final ProtocolConnection connection;
  private final ListenOptions options;
  private final FrameWriter writer;
  private final Streams streams;
  private final Sender sender;
  private final RequestSlots places;
  private final FrameHandler handler;
  private final FrameReader reader;
  private final FrameBudget budget = new FrameBudget();
  private byte[] kept = NOTHING;
  private boolean over;
  private boolean leaves;
  private boolean left;
  private boolean inHeaders = true; // until the client has sent its preface and settings
  private boolean idle = true;
  private int lastSeen;
  private long leftAt;
  private long headersSince = System.nanoTime();

  /** The last stream when the time was set. */
  private int headersAfter;

  private long idleSince = System.nanoTime();

  Http2Session(ProtocolConnection connection, byte[] preface) {
    this.connection = connection;
    this.options = connection.limits().options();
    this.writer = new FrameWriter(connection);
    this.streams = new Streams(connection, writer, budget);
    this.sender = new Sender(connection, writer, budget);
    this.places = new RequestSlots(connection, streams, sender, this::goOnIfWaiting);
    this.handler = new FrameHandler(connection, writer, budget, streams, sender, places);
    this.reader = new FrameReader(preface, handler);
  }

  @Override
  public void begin() {
    long list =
        options.maxHeaderBytes() + (long) options.maxTargetLength() + 32L * options.maxHeaders();
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
        connection.goOnLater();
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
      connection.goOnLater();
    }
    return waits;
  }

  private void placeIsFree() {
    boolean ignored = goOnIfWaiting();
  }

  /** Records when the client began to send headers. */
  private void note(long now) {
    boolean begins = !reader.isBegun() || reader.isInHeaders();
    if (begins && (!inHeaders || streams.last() != headersAfter)) {
      headersSince = now;
      headersAfter = streams.last();
    }
    inHeaders = begins;
  }

  private void failed(FrameError error) {
    if (LOG.isLoggable(Level.DEBUG)) {
      LOG.log(
          Level.DEBUG,
          "Closed stream {0} (0: the connection) with error code {1}: {2}",
          error.stream(),
          error.code(),
          LogText.escape(String.valueOf(error.getMessage())));
    }
    if (error.stream() == 0) {
      end(error.code());
      return;
    }
    try {
      budget.spend(FrameBudget.FAULT); // a few errors are tolerated
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

  /** Closes the connection. GOAWAY gives the client the error code and the last stream. */
  private void end(int code) {
    over = true;
    kept = NOTHING;
    writer.goAway(streams.last(), code);
    streams.closeAll();
    connection.end();
  }

  @Override
  public int mostRead() {
    if (over || kept.length > 0 || isHeld() || connection.pending() > MUCH) {
      return 0;
    }
    return options.bodyMemory().mayReadAhead() ? BodyBuffer.MAX_PIECE : BodyBuffer.LITTLE;
  }

  /**
   * Returns true if reading must pause. If a response waits for a WINDOW_UPDATE, reading continues.
   */
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
    if (inHeaders && kept.length == 0 && now - headersSince > options.headerTimeout().toNanos()) {
      end(ErrorCode.NO_ERROR);
    } else if (idle && !inHeaders && now - idleSince > options.idleTimeout().toNanos()) {
      end(ErrorCode.NO_ERROR);
    } else if (sender.isTooSlow(now, options)) {
      end(ErrorCode.ENHANCE_YOUR_CALM);
    } else {
      sender.pump();
      endIfLeft();
    }
  }

  /** Shuts down with two GOAWAY frames, since requests may still arrive (RFC 9113 section 6.8). */
  private void leaveIfAsked(long now) {
    ServerLimits serverLimits = connection.limits();
    if (!leaves && serverLimits.isShuttingDown()) {
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
      connection.end();
    }
  }

  @Override
  public void endInput() {
    if (streams.isEmpty() && !over) {
      over = true;
      connection.end();
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
