package dev.percolate.vertx;

import dev.percolate.core.Exchange;
import dev.percolate.core.ListenOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Holds what has arrived of a request's body and nobody has read yet, up to a bound.
 *
 * <p>The loop puts in, any thread takes out. Above the bound the connection is asked to pause.
 * Behind the answer, what is left of the body is thrown away, up to another bound.
 */
final class BodyBuffer {

  private static final int HIGH_WATER = 64 << 10;

  /** How much of a body that nobody has read is taken off the connection behind the answer. */
  private static final int UNREAD_LIMIT = 1 << 20;

  private final Flow flow;
  private final Queue<ByteBuffer> chunks = new ArrayDeque<>(2);
  private final Pace pace = new Pace(System.nanoTime());
  private int buffered;
  private int discarded;
  private boolean paused;
  private boolean ended;
  private boolean discarding;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;
  private @Nullable Runnable onEnd;

  /** Slows the connection down, and lets it go on. */
  interface Flow {
    void pause();

    void resume();
  }

  BodyBuffer(Flow flow) {
    this.flow = flow;
  }

  /** Puts a piece in; on the loop. */
  void offer(ByteBuffer chunk) {
    Exchange.OnRead reader;
    synchronized (this) {
      pace.received(chunk.remaining(), System.nanoTime());
      reader = waiting;
      waiting = null;
      if (discarding) {
        discarded += chunk.remaining();
        pauseAbove(discarded, UNREAD_LIMIT);
      } else if (reader == null) {
        chunks.add(chunk);
        buffered += chunk.remaining();
        pauseAbove(buffered, HIGH_WATER);
      }
    }
    if (reader != null) {
      reader.read(chunk, null);
    }
  }

  /** Notes the end, or what ended the body early; the first counts. */
  void end(@Nullable Throwable cause) {
    Exchange.OnRead reader;
    Runnable listener;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = cause;
      reader = waiting;
      waiting = null;
      listener = onEnd;
    }
    if (reader != null) {
      reader.read(null, cause);
    }
    if (listener != null) {
      listener.run();
    }
  }

  synchronized boolean ended() {
    return ended;
  }

  /** Tells whether the client owes a piece, and is too slow. */
  synchronized boolean isOverdue(long now, ListenOptions options) {
    return !ended && !paused && !discarding && pace.isTooSlow(now, options);
  }

  /** Notes that the client has been asked to begin only now. */
  synchronized void asked() {
    pace.asked(System.nanoTime());
  }

  void read(Exchange.OnRead reader) {
    ByteBuffer chunk;
    Throwable cause;
    synchronized (this) {
      chunk = chunks.poll();
      cause = chunk == null ? failure : null;
      if (chunk != null) {
        buffered -= chunk.remaining();
        resumeBelow(HIGH_WATER / 2);
      } else if (discarding) {
        cause = new IOException("the body was not read before the answer was complete");
      } else if (waiting != null) {
        throw new IllegalStateException("the body is being read already");
      } else if (!ended) {
        waiting = reader;
        return;
      }
    }
    reader.read(chunk, cause);
  }

  /**
   * Drops what is here and what will come, so that the connection can be used again. Who waits for
   * it gets a failure.
   *
   * @param listener is told when the body has ended
   */
  void discard(Runnable listener) {
    Exchange.OnRead reader;
    boolean over;
    synchronized (this) {
      discarding = true;
      onEnd = listener;
      over = ended;
      reader = waiting;
      waiting = null;
      chunks.clear();
      buffered = 0;
      resumeBelow(HIGH_WATER);
    }
    if (reader != null) {
      reader.read(null, new IOException("the answer was complete before the body was"));
    }
    if (over) {
      listener.run();
    }
  }

  private void pauseAbove(int held, int bound) {
    if (held > bound && !paused) {
      paused = true;
      pace.paused(System.nanoTime());
      flow.pause();
    }
  }

  private void resumeBelow(int bound) {
    if (paused && buffered < bound) {
      paused = false;
      pace.resumed(System.nanoTime());
      flow.resume();
    }
  }
}
