package dev.percolate.nio.loop;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A request body of any protocol. Buffers the part that has arrived and was not read yet, up to a
 * limit. Subclasses find the content in the bytes of the connection.
 *
 * <p>The event loop adds chunks, any thread reads them. Above the limit the connection is paused.
 * If memory is scarce, it is also paused until the body is read. After the response, the rest of
 * the body is discarded, up to another limit.
 */
public abstract class BodyBuffer implements Input {

  /** The maximum size of a chunk, in bytes, except in a long body. */
  public static final int MAX_PIECE = 16 << 10;

  /**
   * The maximum size of a chunk of a long body whose handler keeps up, in bytes: each chunk wakes
   * the thread of the handler.
   */
  public static final int LONG_PIECE = 64 << 10;

  /** How many bytes are read at once if no handler waits and memory is scarce: a short head. */
  public static final int LITTLE = 2 << 10;

  private static final int HIGH_WATER = 64 << 10;

  /** How many bytes of an unread body are received and discarded after the response. */
  private static final int UNREAD_LIMIT = 1 << 20;

  /** The longest gap while other bodies wait for the memory of this one. */
  private static final Duration CROWDED = Duration.ofSeconds(5);

  /** Smaller chunks are merged, because each chunk has its own memory overhead. */
  private static final int SMALL = 512;

  private final Flow flow;
  private final long length;
  private final BodyMemory.Reservation reservation;
  private final @Nullable Progress progress;
  private final Deque<ByteBuffer> chunks = new ArrayDeque<>(2);

  /** Its time counts while a handler waits for a chunk; null before the first wait. */
  private @Nullable SlowClientMeter meter;

  private long arrived;
  private int buffered;
  private boolean asked;

  /** Whether the last chunk was merged here. */
  private boolean joined;

  private int discarded;
  private boolean paused;
  private boolean ended;
  private boolean discarding;
  private @Nullable Throwable failure;
  private Exchange.@Nullable OnRead waiting;
  private @Nullable Runnable onEnd;

  /** Pauses and resumes reading a connection. */
  public interface Flow {

    /** Stops reading. May be called on any thread. */
    void pause();

    /** Continues reading. May be called on any thread. */
    void resume();
  }

  /**
   * Creates an empty buffer.
   *
   * @param length the length of the body, in bytes; negative if unknown
   */
  protected BodyBuffer(
      Flow flow, long length, BodyMemory.Reservation reservation, @Nullable Progress progress) {
    this.flow = flow;
    this.length = length;
    this.reservation = reservation;
    this.progress = progress;
  }

  /**
   * Pauses if there is no memory for what may arrive before a handler reads. Called on the loop.
   */
  public final synchronized void begin() {
    if (!isWelcome()) {
      pause();
    }
  }

  @Override
  public final synchronized int mostRead() {
    if (asked && buffered == 0 && isLong() && reservation.mayRead(LONG_PIECE)) {
      return LONG_PIECE;
    }
    boolean much = discarding || (asked && isWelcome());
    return much ? MAX_PIECE : LITTLE;
  }

  /**
   * Returns true for a body of known length that does not fit into a few chunks, of which some have
   * arrived.
   */
  private boolean isLong() {
    return !discarding && length > 2 * LONG_PIECE && arrived >= LONG_PIECE;
  }

  /** Adds a copy of received bytes. Called on the loop. */
  protected final void add(byte[] data, int from, int to) {
    ByteBuffer chunk = ByteBuffer.wrap(Arrays.copyOfRange(data, from, to));
    Exchange.OnRead reader;
    synchronized (this) {
      long now = System.nanoTime();
      arrived += chunk.remaining();
      if (!discarding && !reservation.isLarge()) {
        reservation.note(arrived);
      }
      if (progress != null) {
        progress.moved(chunk.remaining(), now);
      }
      reader = takeWaiting();
      if (meter != null) {
        meter.look(now, arrived, false);
      }
      if (discarding) {
        discarded += chunk.remaining();
        if (discarded > UNREAD_LIMIT) {
          pause();
        }
      } else if (reader == null) {
        buffered += chunk.remaining();
        keep(chunk);
        if (buffered > HIGH_WATER || (!ended && !isWelcome())) {
          pause();
        }
      }
    }
    if (reader != null) {
      reader.read(chunk, null);
    }
  }

  @Override
  public final void end(@Nullable Throwable cause) {
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

  /** Returns true if the head declares an empty body. */
  public final boolean isEmpty() {
    return length == 0;
  }

  @Override
  public final synchronized boolean hasMore() {
    return !ended;
  }

  @Override
  public final boolean endsWell() {
    return !hasMore();
  }

  @Override
  public synchronized boolean leavesMuch() {
    return length - arrived > UNREAD_LIMIT;
  }

  @Override
  public synchronized boolean isOverdue(long now, ListenOptions options) {
    if (ended || waiting == null || meter == null) {
      return false;
    }
    Duration longest = options.bodyTimeout();
    if (isInTheWay() && longest.compareTo(CROWDED) > 0) {
      longest = CROWDED;
    }
    return meter.isTooSlow(now, arrived, true, longest, options.minBodyRate());
  }

  @Override
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
        cause = new IOException("the body was not read before the response was complete");
      } else if (waiting != null) {
        throw new IllegalStateException("another read of this body is in progress");
      } else if (!ended) {
        long now = System.nanoTime();
        waiting = reader;
        SlowClientMeter known = meter == null ? new SlowClientMeter() : meter;
        known.look(now, arrived, true);
        meter = known;
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
   * {@inheritDoc}
   *
   * <p>Discards the buffered bytes as well, so that the connection can be reused. A waiting read
   * fails.
   */
  @Override
  public final void discard(Runnable listener) {
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
      reader.read(null, new IOException("the response was complete before the body"));
    }
    if (over) {
      listener.run();
    }
  }

  /** Removes and returns the waiting reader; null if there is none. */
  private Exchange.@Nullable OnRead takeWaiting() {
    Exchange.OnRead reader = waiting;
    waiting = null;
    if (reader != null && progress != null) {
      progress.pays(System.nanoTime());
    }
    return reader;
  }

  /** Returns true if other bodies wait for the memory that this one uses. */
  private boolean isInTheWay() {
    return asked && reservation.memory().waiting() > 0 && reservation.isLarge();
  }

  /** Returns true if a whole chunk may arrive: the body was admitted, or memory is plentiful. */
  private boolean isWelcome() {
    return reservation.mayRead(MAX_PIECE);
  }

  /** Returns true if a handler waits for the next chunk. */
  public final synchronized boolean isAwaited() {
    return waiting != null;
  }

  /**
   * Adds a chunk, or merges it with the last one if both are small: a client may send single bytes.
   */
  private void keep(ByteBuffer chunk) {
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

  /** Pauses the connection, even if it was paused before and has resumed by itself. */
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
