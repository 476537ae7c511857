package dev.percolate.core;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request, once.
 *
 * <p>Where threads may wait for a body ({@link Turn#parks}) and the running step asks, its thread
 * parks for each piece, and the reader is called inside the same call: thread locals, scoped values
 * and {@code finally} around it hold. Everywhere else the reader is called later, on the turn.
 */
final class Body {

  private final Exchange exchange;
  private boolean taken;
  private long limit = Long.MAX_VALUE;
  private long received;

  Body(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Tells whether nobody has begun to read. */
  boolean readable() {
    return !taken;
  }

  void readable(boolean readable) {
    taken = !readable;
  }

  /** Sets where reading cuts the connection; the first limit counts. */
  void limit(long bytes) {
    if (limit == Long.MAX_VALUE) {
      limit = bytes;
    }
  }

  void read(ChunkReader reader) {
    take();
    if (exchange.turn().parks() && exchange.turn().isMine()) {
      readHere(reader);
    } else {
      readLater(reader);
    }
  }

  InputStream stream(long limit) {
    take();
    return new BodyStream(this, limit);
  }

  Flow.Publisher<ByteBuffer> publisher(long limit) {
    take();
    return new BodyPublisher(exchange, this, limit);
  }

  /** Waits for the next piece; null at the end. */
  @Nullable ByteBuffer await() throws Throwable {
    if (!exchange.mayBlock()) {
      throw new IllegalStateException(
          "reading here would block the event loop; use read or publisher, or another thread mode");
    }
    Parked parked = new Parked(Thread.currentThread());
    next(parked);
    return parked.await();
  }

  /** Reads the next piece, below the limit. */
  void next(Exchange.OnRead callback) {
    if (limit == Long.MAX_VALUE) {
      exchange.read(callback);
      return;
    }
    exchange.read(
        (chunk, failure) -> {
          received += chunk == null ? 0 : chunk.remaining();
          if (received > limit) {
            exchange.abort();
            callback.read(null, new ClientGone(null));
          } else {
            callback.read(chunk, failure);
          }
        });
  }

  private void take() {
    if (taken) {
      throw new HttpError(500, "stream is not readable", "stream.not.readable", null);
    }
    taken = true;
  }

  private void readHere(ChunkReader reader) {
    Throwable failure = null;
    try {
      ByteBuffer chunk = await();
      while (chunk != null && reader.chunk(chunk)) {
        chunk = await();
      }
    } catch (Throwable thrown) {
      failure = thrown;
    }
    reader.done(failure);
  }

  private void readLater(ChunkReader reader) {
    next((chunk, failure) -> exchange.turn().execute(() -> take(reader, chunk, failure)));
  }

  private void take(ChunkReader reader, @Nullable ByteBuffer chunk, @Nullable Throwable failure) {
    if (chunk == null) {
      reader.done(failure);
      return;
    }
    boolean more;
    try {
      more = reader.chunk(chunk);
    } catch (Throwable thrown) {
      reader.done(thrown);
      return;
    }
    if (more) {
      readLater(reader);
    } else {
      reader.done(null);
    }
  }

  /** Waits on its thread for one piece; an interrupt is kept for whoever looks for it later. */
  private static final class Parked implements Exchange.OnRead {

    private final Thread thread;
    private @Nullable ByteBuffer chunk;
    private @Nullable Throwable failure;
    private volatile boolean done;

    Parked(Thread thread) {
      this.thread = thread;
    }

    @Override
    public void read(@Nullable ByteBuffer chunk, @Nullable Throwable failure) {
      this.chunk = chunk;
      this.failure = failure;
      done = true;
      if (thread != Thread.currentThread()) { // it is, where the piece had come already
        LockSupport.unpark(thread);
      }
    }

    @Nullable ByteBuffer await() throws Throwable {
      boolean interrupted = false;
      while (!done) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
      if (failure != null) {
        throw failure;
      }
      return chunk;
    }
  }
}
