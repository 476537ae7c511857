package dev.percolate.middleware.socket;

import dev.percolate.core.UpgradedConnection;
import dev.percolate.http.FrameReader;
import dev.percolate.http.WebSocketException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one socket. Control frames are handled immediately. Messages are queued up to
 * a limit, at which reading pauses.
 *
 * <p>One thread at a time reads frames: a thread that delivers bytes, or one that frees space in
 * the queue. It holds no buffer while no bytes arrive.
 *
 * <pre>
 *   PAUSED --space free--> ACTIVE: waiting for bytes, or reading frames --queue full--> PAUSED
 * </pre>
 */
public final class SocketInput implements FrameReader.Listener {

  /** The maximum number of queued bytes. */
  private static final int MOST_BYTES = 64 << 10;

  /** The maximum number of queued chunks. */
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

  // Used only by the thread that reads frames.
  private @Nullable ByteBuffer rest;
  private boolean ended;
  private boolean text;
  private boolean compressed;
  private boolean first;

  // Guarded by this.
  private @Nullable Deque<Piece> pieces;
  private @Nullable ParkedThread taker;
  private int waitingBytes;
  private boolean discards;
  private boolean over;

  /** Whether a message was taken and may still be in progress: the next is not yet requested. */
  private boolean busy;

  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  private volatile long heard = System.nanoTime();

  /** A chunk of a message. */
  public record Piece(
      ByteBuffer data, boolean text, boolean compressed, boolean first, boolean last) {}

  /** Receives control frames and notifications. Must not block. */
  interface Owner {

    /** Is called when a chunk is available, or no more will arrive. */
    void available();

    /** Is called, perhaps several times, when all chunks were taken and no more will arrive. */
    void drained();

    void ping(byte[] payload);

    void closed(int code, String reason);

    void failed(WebSocketException failure);

    /** Is called when the connection has ended without a close frame. */
    void gone();
  }

  SocketInput(UpgradedConnection connection, FrameReader frames, Owner owner) {
    this.connection = connection;
    this.frames = frames;
    this.owner = owner;
  }

  /** Returns the next queued chunk; null for none. */
  public @Nullable Piece poll() {
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

  /** Waits for the next chunk. Returns null if no more will arrive. */
  public @Nullable Piece take() {
    while (true) {
      Piece piece = poll();
      if (piece != null) {
        return piece;
      }
      ParkedThread mine = new ParkedThread();
      synchronized (this) {
        if (pieces != null) {
          continue; // chunks have arrived meanwhile, perhaps with the end
        }
        if (over) {
          return null;
        }
        taker = mine;
      }
      connection.await(mine);
    }
  }

  /** Discards all queued and future messages. Control frames are still read. */
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

  /** Returns true if the queue is empty and no more chunks will arrive. */
  public synchronized boolean isOver() {
    return over && pieces == null;
  }

  /** Returns true if reading is paused because the queue is full. */
  boolean isPaused() {
    return pump.get() == PAUSED;
  }

  /** Returns the time at which bytes last arrived, by {@link System#nanoTime}. */
  long heard() {
    return heard;
  }

  public long messages() {
    return messages.sum();
  }

  public long bytes() {
    return bytes.sum();
  }

  @Override
  public void begin(boolean isText, boolean isCompressed) {
    text = isText;
    compressed = isCompressed;
    first = true;
  }

  @Override
  public void data(ByteBuffer piece, boolean last) {
    messages.add(last ? 1 : 0);
    synchronized (this) {
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
  public void pong(byte[] payload) {} // the time is updated for all bytes

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

  /** Continues reading if the queue has space again. */
  private void resume() {
    if (pump.get() == PAUSED && !isFull() && pump.compareAndSet(PAUSED, ACTIVE)) {
      run();
    }
  }

  /** Reads frames, and requests more bytes, while the queue has space. */
  public void run() {
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
      } // else space was freed since the remaining frames were left
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
      bytes.add(piece.remaining());
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
    ParkedThread waiting;
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
