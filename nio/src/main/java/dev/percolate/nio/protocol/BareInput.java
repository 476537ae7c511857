package dev.percolate.nio.protocol;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What comes over a connection that has been handed over. Little is read unless somebody waits for
 * it; what comes all the same is kept until somebody asks.
 */
public final class BareInput implements Input {

  private final BodyBuffer.Flow flow;
  private final Queue<ByteBuffer> pieces = new ArrayDeque<>(2);
  private boolean paused;
  private boolean ended;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;

  /**
   * Creates the input of one connection.
   *
   * @param flow has the connection read no more, or read on
   */
  public BareInput(BodyBuffer.Flow flow) {
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
        throw new IllegalStateException("the connection is being read already");
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
        pieces.add(piece);
        paused = true;
        flow.pause();
      }
    }
    if (reader != null) {
      reader.read(piece, null);
    }
    return to;
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

  /** Whoever has the connection decides what the end of the input means. */
  @Override
  public boolean endsWell() {
    end(null);
    return true;
  }

  @Override
  public boolean isOverdue(long now, ListenOptions options) {
    return false; // whoever has the connection knows when something is due
  }

  @Override
  public boolean leavesMuch() {
    return false;
  }

  @Override
  public void discard(Runnable over) {} // behind the end, nothing is taken any more
}
