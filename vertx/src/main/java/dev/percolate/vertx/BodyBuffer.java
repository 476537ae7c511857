package dev.percolate.vertx;

import dev.percolate.core.Exchange;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Holds what has arrived of a request's body and nobody has read yet, up to a bound.
 *
 * <p>The loop puts in, any thread takes out. Above the bound the connection is asked to pause.
 */
final class BodyBuffer {

  private static final int HIGH_WATER = 64 << 10;

  private final Flow flow;
  private final Queue<ByteBuffer> chunks = new ArrayDeque<>(2);
  private int buffered;
  private boolean paused;
  private boolean ended;
  private boolean discarding;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;

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
      reader = waiting;
      waiting = null;
      if (reader == null && !discarding) {
        chunks.add(chunk);
        buffered += chunk.remaining();
        if (buffered > HIGH_WATER && !paused) {
          paused = true;
          flow.pause();
        }
      }
    }
    if (reader != null) {
      reader.read(chunk, null);
    }
  }

  /** Notes the end, or what ended the body early; the first counts. */
  void end(@Nullable Throwable cause) {
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

  synchronized boolean ended() {
    return ended;
  }

  void read(Exchange.OnRead reader) {
    ByteBuffer chunk;
    synchronized (this) {
      chunk = chunks.poll();
      if (chunk != null) {
        buffered -= chunk.remaining();
        resumeBelow(HIGH_WATER / 2);
      } else if (!ended) {
        waiting = reader;
        return;
      }
    }
    reader.read(chunk, chunk == null ? failure : null);
  }

  /** Drops what is here and what will come, so that the connection can be used again. */
  synchronized void discard() {
    discarding = true;
    chunks.clear();
    buffered = 0;
    resumeBelow(HIGH_WATER);
  }

  private void resumeBelow(int bound) {
    if (paused && buffered < bound) {
      paused = false;
      flow.resume();
    }
  }
}
