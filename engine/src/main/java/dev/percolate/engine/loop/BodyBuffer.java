package dev.percolate.engine.loop;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Holds what has arrived of a request's body and nobody has read yet, up to a bound.
 *
 * <p>The loop puts in, any thread takes out. Above the bound the connection is asked to pause;
 * until somebody asks for the body, also where memory is short. Behind the answer, what is left of
 * the body is thrown away, up to another bound.
 */
public final class BodyBuffer {

  /** The most bytes of one piece of a body. */
  public static final int MAX_PIECE = 16 << 10;

  /** How much is read where nobody waits for it, and memory is short: a short head. */
  public static final int LITTLE = 2 << 10;

  private static final int HIGH_WATER = 64 << 10;

  /** How much of a body that nobody has read is taken off the connection behind the answer. */
  private static final int UNREAD_LIMIT = 1 << 20;

  /** Pieces below this are put together, as each takes memory of its own. */
  private static final int SMALL = 512;

  private final Flow flow;
  private final BodyMemory.Room room;
  private final @Nullable Progress progress;
  private final Deque<ByteBuffer> chunks = new ArrayDeque<>(2);

  /** Goes while somebody waits for a piece. */
  private final BodyRate pace = new BodyRate(System.nanoTime());

  private long arrived;
  private int buffered;
  private boolean asked;

  /** Whether the last piece was put together here. */
  private boolean joined;

  private int discarded;
  private boolean paused;
  private boolean ended;
  private boolean discarding;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;
  private @Nullable Runnable onEnd;

  /** Slows the connection down, and lets it go on. */
  public interface Flow {

    /** Has no more read of the connection; from any thread. */
    void pause();

    /** Has the connection read on; from any thread. */
    void resume();
  }

  public BodyBuffer(Flow flow, BodyMemory.Room room, @Nullable Progress progress) {
    this.flow = flow;
    this.room = room;
    this.progress = progress;
    pace.paused(System.nanoTime());
  }

  /** Pauses where there is no room for what may come before anybody asks; on the loop. */
  public synchronized void begin() {
    if (!isWelcome()) {
      pause();
    }
  }

  /** Tells how much may be read of the connection at once. */
  public synchronized int mostRead() {
    boolean much = discarding || (asked && isWelcome());
    return much ? MAX_PIECE : LITTLE;
  }

  /** Puts a piece in; on the loop. */
  public void offer(ByteBuffer chunk) {
    Exchange.OnRead reader;
    synchronized (this) {
      long now = System.nanoTime();
      pace.received(chunk.remaining(), now);
      arrived += chunk.remaining();
      if (!discarding && !room.isLarge()) {
        room.note(arrived);
      }
      if (progress != null) {
        progress.moved(chunk.remaining(), now);
      }
      reader = takeWaiting();
      if (reader != null) {
        pace.paused(now);
      }
      if (discarding) {
        discarded += chunk.remaining();
        if (discarded > UNREAD_LIMIT) {
          pause();
        }
      } else if (reader == null) {
        buffered += chunk.remaining();
        add(chunk);
        if (buffered > HIGH_WATER || (!ended && !isWelcome())) {
          pause();
        }
      }
    }
    if (reader != null) {
      reader.read(chunk, null);
    }
  }

  /** Notes the end, or what ended the body early; the first counts. */
  public void end(@Nullable Throwable cause) {
    Exchange.OnRead reader;
    Runnable listener;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      failure = cause;
      reader = takeWaiting();
      listener = onEnd;
    }
    if (reader != null) {
      reader.read(null, cause);
    }
    if (listener != null) {
      listener.run();
    }
  }

  public synchronized boolean ended() {
    return ended;
  }

  /** Tells whether more of a body of some length is still to come than will be thrown away. */
  public synchronized boolean leaves(long length) {
    return length - arrived > UNREAD_LIMIT;
  }

  /** Tells whether the client owes a piece, and is too slow. */
  public synchronized boolean isOverdue(long now, ListenOptions options) {
    return !ended && waiting != null && pace.isTooSlow(now, options, isInTheWay());
  }

  public void read(Exchange.OnRead reader) {
    ByteBuffer chunk;
    Throwable cause;
    synchronized (this) {
      asked = true;
      chunk = chunks.poll();
      cause = chunk == null ? failure : null;
      if (chunk != null) {
        buffered -= chunk.remaining();
        if (buffered < HIGH_WATER / 2) {
          resume();
        }
      } else if (discarding) {
        cause = new IOException("the body was not read before the answer was complete");
      } else if (waiting != null) {
        throw new IllegalStateException("the body is being read already");
      } else if (!ended) {
        long now = System.nanoTime();
        waiting = reader;
        pace.resumed(now);
        if (progress != null) {
          progress.owes(now);
        }
        resume();
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
  public void discard(Runnable listener) {
    Exchange.OnRead reader;
    boolean over;
    synchronized (this) {
      discarding = true;
      onEnd = listener;
      over = ended;
      reader = takeWaiting();
      chunks.clear();
      buffered = 0;
      resume();
    }
    if (reader != null) {
      reader.read(null, new IOException("the answer was complete before the body was"));
    }
    if (over) {
      listener.run();
    }
  }

  /** Lets the connection go on behind a body that has ended, though pieces of it are left here. */
  public synchronized void leave() {
    resume();
  }

  /** Returns who waits for a piece, and does so no longer. */
  private Exchange.@Nullable OnRead takeWaiting() {
    Exchange.OnRead reader = waiting;
    waiting = null;
    if (reader != null && progress != null) {
      progress.pays(System.nanoTime());
    }
    return reader;
  }

  /** Tells whether the body keeps others waiting for room. */
  private boolean isInTheWay() {
    return asked && room.memory().waiting() > 0 && room.isLarge();
  }

  /** Returns whether a whole piece may arrive: the body was admitted, or there is plenty. */
  private boolean isWelcome() {
    return room.mayRead(MAX_PIECE);
  }

  /** Returns whether a handler waits for the next piece. */
  public synchronized boolean isAwaited() {
    return waiting != null;
  }

  /** Adds a piece, to the last one if both are small: a client may send each byte on its own. */
  private void add(ByteBuffer chunk) {
    ByteBuffer last = chunks.peekLast();
    if (chunk.remaining() >= SMALL || last == null || last.remaining() >= SMALL) {
      chunks.add(chunk);
      joined = false;
      return;
    }
    ByteBuffer target = last;
    if (!joined) {
      target = ByteBuffer.allocate(2 * SMALL).put(last).flip();
      chunks.removeLast();
      chunks.add(target);
      joined = true;
    }
    int end = target.limit();
    target.limit(end + chunk.remaining());
    target.duplicate().position(end).put(chunk);
  }

  /** Asks the connection to pause, once more if it has gone on for reasons of its own. */
  private void pause() {
    paused = true;
    flow.pause();
  }

  private void resume() {
    if (paused) {
      paused = false;
      flow.resume();
    }
  }
}
