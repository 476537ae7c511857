package dev.percolate.middleware;

import dev.percolate.core.UpgradedConnection;
import dev.percolate.http.FrameReader;
import dev.percolate.http.WebSocketException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one socket: control frames as they come, of messages as much ahead of who
 * takes them as a bound allows.
 *
 * <p>Frames are read by one thread at a time, whichever brings bytes or makes room for more.
 * Without bytes it holds no buffer.
 *
 * <pre>
 *   PAUSED --room--> ACTIVE: bytes are awaited, or their frames read --bound reached--> PAUSED
 * </pre>
 */
final class SocketInput implements FrameReader.Listener {

  /** How many bytes of messages wait for who takes them. */
  private static final int MOST_BYTES = 64 << 10;

  /** How many pieces of messages do. */
  private static final int MOST_PIECES = 64;

  private static final int PAUSED = 0;
  private static final int ACTIVE = 1;

  private static final int CALLING = 0;
  private static final int WAITING = 1;
  private static final int CAME = 2;

  private final UpgradedConnection connection;
  private final FrameReader frames;
  private final Owner owner;
  private final AtomicInteger pump = new AtomicInteger(ACTIVE);
  private final AtomicInteger call = new AtomicInteger();

  // Of the thread that reads frames.
  private @Nullable ByteBuffer rest;
  private boolean ended;
  private boolean text;
  private boolean compressed;
  private boolean first;

  // Guarded by this.
  private @Nullable Deque<Piece> pieces;
  private @Nullable Parked taker;
  private int waitingBytes;
  private boolean discards;
  private boolean over;

  /** Whether a message was taken, and the next one has not been asked for. */
  private boolean busy;

  private long messages;
  private long bytes;

  private volatile long heard = System.nanoTime();

  /** A piece of a message. */
  record Piece(ByteBuffer data, boolean text, boolean compressed, boolean first, boolean last) {}

  /** Is notified of all but the messages; must not wait. */
  interface Owner {

    /** Notes that there is something to be taken, or nothing more will come. */
    void available();

    /** Notes, perhaps several times, that nothing more will come and all has been taken. */
    void drained();

    void ping(byte[] payload);

    void closed(int code, String reason);

    void failed(WebSocketException failure);

    /** Notes that the connection has ended without being closed. */
    void gone();
  }

  SocketInput(UpgradedConnection connection, FrameReader frames, Owner owner) {
    this.connection = connection;
    this.frames = frames;
    this.owner = owner;
  }

  /** Begins to read. */
  void start() {
    run();
  }

  /** Returns the next piece that is there; null for none. */
  @Nullable Piece poll() {
    Piece piece;
    synchronized (this) {
      piece = pieces == null ? null : pieces.poll();
      busy = piece != null;
      if (piece == null) {
        pieces = null;
      } else {
        waitingBytes -= piece.data.remaining();
      }
    }
    if (piece == null) {
      tellDrained();
    } else {
      resume();
    }
    return piece;
  }

  /** Waits for the next piece; null if nothing more comes. */
  @Nullable Piece take() {
    while (true) {
      Piece piece = poll();
      if (piece != null) {
        return piece;
      }
      Parked mine = new Parked();
      synchronized (this) {
        if (pieces != null) {
          continue; // they came since, perhaps with the end
        }
        if (over) {
          return null;
        }
        taker = mine;
      }
      connection.await(mine);
    }
  }

  /** Drops what has come and comes of messages; control frames are read on. */
  void discard() {
    synchronized (this) {
      discards = true;
      over = true;
      pieces = null;
      waitingBytes = 0;
    }
    wake();
    resume();
  }

  /** Tells whether nothing is left to be taken, and nothing will come. */
  synchronized boolean isOver() {
    return over && pieces == null;
  }

  /** Tells whether nothing is read for now, since too much waits to be taken. */
  boolean isPaused() {
    return pump.get() == PAUSED;
  }

  /** Returns when something came last, by {@link System#nanoTime}. */
  long heard() {
    return heard;
  }

  synchronized long messages() {
    return messages;
  }

  synchronized long bytes() {
    return bytes;
  }

  @Override
  public void begin(boolean isText, boolean isCompressed) {
    text = isText;
    compressed = isCompressed;
    first = true;
  }

  @Override
  public void data(ByteBuffer piece, boolean last) {
    synchronized (this) {
      messages += last ? 1 : 0;
      if (!discards && (piece.hasRemaining() || first || last)) {
        pieces = pieces == null ? new ArrayDeque<>(2) : pieces;
        pieces.add(new Piece(piece, text, compressed, first, last));
        waitingBytes += piece.remaining();
      }
      first = false;
    }
    wake();
  }

  @Override
  public void ping(byte[] payload) {
    owner.ping(payload);
  }

  @Override
  public void pong(byte[] payload) {} // that something has come is noted for all bytes

  @Override
  public void close(int code, String reason) {
    ended = true;
    owner.closed(code, reason);
    end();
  }

  @Override
  public boolean takesMore() {
    return !isFull();
  }

  /** Reads on if there is room again. */
  private void resume() {
    if (pump.get() == PAUSED && !isFull() && pump.compareAndSet(PAUSED, ACTIVE)) {
      run();
    }
  }

  /** Reads frames, and asks for more bytes, as long as there is room. */
  private void run() {
    while (true) {
      readFrames();
      if (ended) {
        return;
      }
      if (isFull()) {
        pump.set(PAUSED);
        if (isFull() || !pump.compareAndSet(PAUSED, ACTIVE)) {
          return;
        }
      } else if (rest == null) {
        call.set(CALLING);
        connection.read(this::came);
        if (call.compareAndSet(CALLING, WAITING)) {
          return;
        }
      } // else room has been made since the frames were left there
    }
  }

  private void came(@Nullable ByteBuffer piece, @Nullable Throwable failure) {
    heard = System.nanoTime();
    rest = piece;
    if (piece == null) {
      ended = true;
      owner.gone();
      end();
    } else {
      count(piece.remaining());
    }
    if (!call.compareAndSet(CALLING, CAME)) {
      run();
    }
  }

  private void readFrames() {
    ByteBuffer in = rest;
    if (in == null || ended) {
      return;
    }
    try {
      frames.read(in, this);
    } catch (WebSocketException e) {
      ended = true;
      owner.failed(e);
      end();
    }
    if (ended || !in.hasRemaining()) {
      rest = null;
    }
  }

  private synchronized void count(int come) {
    bytes += come;
  }

  private synchronized boolean isFull() {
    return pieces != null && (waitingBytes >= MOST_BYTES || pieces.size() >= MOST_PIECES);
  }

  private void end() {
    synchronized (this) {
      over = true;
    }
    wake();
    tellDrained();
  }

  private void tellDrained() {
    boolean drained;
    synchronized (this) {
      drained = over && (discards || (pieces == null && !busy));
    }
    if (drained) {
      owner.drained();
    }
  }

  private void wake() {
    Parked waiting;
    synchronized (this) {
      waiting = taker;
      taker = null;
    }
    if (waiting != null) {
      waiting.end();
    }
    owner.available();
  }
}
