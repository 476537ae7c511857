package dev.percolate.nio.protocol;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.BodyBuffer;
import dev.percolate.nio.loop.Input;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The input of an upgraded connection. Little is read before a handler asks for data. Data that
 * arrives anyway is kept until a handler reads it.
 */
public final class UpgradedInput implements Input {

  /** Smaller pieces are joined, because each one has its own memory overhead. */
  private static final int SMALL = 512;

  private final BodyBuffer.Flow flow;
  private final Deque<ByteBuffer> pieces = new ArrayDeque<>(2);
  private boolean paused;
  private boolean ended;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;

  /**
   * Creates the input of a connection.
   *
   * @param flow pauses and resumes reading the connection
   */
  public UpgradedInput(BodyBuffer.Flow flow) {
    this.flow = flow;
  }

  @Override
  public synchronized int mostRead() {
    return waiting == null ? BodyBuffer.LITTLE : BodyBuffer.MAX_PIECE;
  }

  @Override
  public synchronized boolean hasMore() {
    return !ended;
  }

  @Override
  public void read(Exchange.OnRead reader) {
    ByteBuffer piece;
    synchronized (this) {
      if (waiting != null) {
        throw new IllegalStateException("another read of this connection is in progress");
      }
      piece = pieces.poll();
      if (piece == null && !ended) {
        waiting = reader;
        if (paused) {
          paused = false;
          flow.resume();
        }
        return;
      }
    }
    reader.read(piece, piece == null ? failure : null);
  }

  @Override
  public int take(byte[] data, int from, int to) {
    ByteBuffer piece = ByteBuffer.wrap(Arrays.copyOfRange(data, from, to));
    Exchange.OnRead reader;
    synchronized (this) {
      reader = waiting;
      waiting = null;
      if (reader == null) {
        keep(piece);
        paused = true;
        flow.pause();
      }
    }
    if (reader != null) {
      reader.read(piece, null);
    }
    return to;
  }

  /** Adds a piece, or joins it with the last one if both are small. Called under the lock. */
  private void keep(ByteBuffer piece) {
    ByteBuffer last = pieces.peekLast();
    if (last == null || piece.remaining() >= SMALL || last.remaining() >= SMALL) {
      pieces.add(piece);
      return;
    }
    ByteBuffer joined = last;
    if (last.capacity() - last.limit() < piece.remaining()) {
      joined = ByteBuffer.allocate(2 * SMALL).put(pieces.removeLast()).flip();
      pieces.add(joined);
    }
    int end = joined.limit();
    joined.limit(end + piece.remaining()).put(end, piece, 0, piece.remaining());
  }

  @Override
  public void end(@Nullable Throwable cause) {
    Exchange.OnRead reader;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = cause;
      reader = waiting;
      waiting = null;
    }
    if (reader != null) {
      reader.read(null, cause);
    }
  }

  /** The handler of the upgraded connection decides what the end of the input means. */
  @Override
  public boolean endsWell() {
    end(null);
    return true;
  }

  @Override
  public boolean isOverdue(long now, ListenOptions options) {
    return false; // the handler of the connection has its own timeouts
  }

  @Override
  public boolean leavesMuch() {
    return false;
  }

  @Override
  public void discard(Runnable over) {} // after the end, input is no longer read
}
