package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request, once. A buffered body first reserves {@link BodyMemory}. A
 * streamed body is passed on chunk by chunk.
 *
 * <p>If threads may wait for a body ({@link SerialExecutor#parks}) and the running handler starts
 * the read, its thread parks for each chunk, and the reader is called within the same call. Thread
 * locals, scoped values and {@code finally} blocks around the call stay in effect. In all other
 * cases the reader is called later, on the {@link SerialExecutor}.
 */
final class Body {

  /**
   * The first reservation for a body of unknown length, and the increment by which it grows, in
   * bytes.
   */
  private static final int STEP = 64 << 10;

  private static final int PIECE = 16 << 10;

  private final Exchange exchange;
  private final Headers headers;
  private final LongSupplier streamLimit;
  private final FinishHooks finishHooks;
  private boolean taken;
  private boolean asked;
  private boolean admitted;

  /** The bytes to buffer: those reserved, the maximum claimed, and those buffered so far. */
  private long keeps;

  private long mostKept;
  private long kept;

  /** Whether all bytes that arrive are buffered. If not, the reader reports those it keeps. */
  private boolean keepsPieces;

  private boolean streams;
  private long unpassed;
  private long limit = Long.MAX_VALUE;
  private long received;

  /** Returns the bytes of a chunk that arrived; an observer of the body replaces it. */
  ToIntFunction<ByteBuffer> counter = ByteBuffer::remaining;

  /** The maximum number of bytes that a stream or publisher returns, and the number so far. */
  private long most;

  private long handedOut;
  private BodyMemory.@Nullable Reservation reservation;

  /** Whether a reader waits for a chunk, and when the last chunk arrived; 0 for never. */
  private volatile boolean awaited;

  private volatile long readAt;

  /**
   * Creates the reader of a body.
   *
   * @param headers the headers of the request
   * @param streamLimit returns the maximum number of bytes that a stream returns
   * @param finishHooks the hooks for the end of the exchange
   */
  Body(Exchange exchange, Headers headers, LongSupplier streamLimit, FinishHooks finishHooks) {
    this.exchange = exchange;
    this.headers = headers;
    this.streamLimit = streamLimit;
    this.finishHooks = finishHooks;
  }

  /** Returns true if reading has not started. */
  boolean readable() {
    return !taken;
  }

  void readable(boolean readable) {
    taken = !readable;
  }

  /**
   * Returns the time when a chunk was last read; the current time if a reader waits for one.
   *
   * @param before the result if nothing was read
   */
  long readAt(long now, long before) {
    long last = readAt;
    return awaited ? now : last == 0 ? before : last;
  }

  /** Sets the size at which the connection is closed. Only the first call has an effect. */
  void limit(long bytes) {
    if (limit == Long.MAX_VALUE) {
      limit = bytes;
    }
  }

  void read(ChunkReader reader) {
    take();
    long announced = announced();
    long known = reader.bufferedBytes(announced);
    if (known < 0) {
      collect(announced, Math.min(streamLimit.getAsLong(), room().memory().maxBodySize()));
    } else if (known == announced && reader.maxBufferedBytes(announced) == known) {
      keeps = known;
      mostKept = known;
    } else { // an estimate, which the limit may lower
      long most = room().memory().maxBodySize();
      mostKept = Math.min(reader.maxBufferedBytes(announced), most);
      // A reader that needs more memory within a chunk cannot wait if its thread may not park.
      keeps = mayPark() ? Math.min(known, most) : mostKept;
    }
    if (mayPark()) {
      readHere(reader);
    } else {
      readLater(reader);
    }
  }

  /** Returns the announced length in bytes; negative if unknown. */
  private long announced() {
    return ContentLength.parse(HeaderValue.of(headers, "Content-Length"));
  }

  private boolean mayPark() {
    return exchange.executor().parks() && exchange.executor().isCurrent();
  }

  InputStream stream(long limit) {
    take();
    streams = true;
    most = limit;
    return new BodyStream(this);
  }

  Flow.Publisher<ByteBuffer> publisher(long limit) {
    take();
    streams = true;
    most = limit;
    return new BodyPublisher(exchange, this);
  }

  /**
   * Buffers up to a number of bytes of a stream from now on, and reserves memory for them.
   *
   * @return the number of bytes to come; negative if unknown
   */
  long collects(long bytes) {
    pass();
    long announced = announced();
    long left = announced < 0 ? -1 : Math.max(0, announced - handedOut);
    long wanted = Math.min(bytes, most - handedOut);
    streams = false;
    admitted = false;
    asked = false;
    long before = kept;
    collect(left, wanted);
    if (left < 0) {
      mostKept = Math.min(mostKept, Math.max(STEP, streamLimit.getAsLong()));
    }
    keeps += before;
    mostKept += before;
    return left < 0 ? left : Math.min(left, wanted);
  }

  /** Stops buffering. Later chunks are passed on; the buffered bytes still count. */
  void streamsOn() {
    streams = true;
  }

  /**
   * Counts a chunk that a stream or publisher returns.
   *
   * @throws HttpError 413 if the limit is exceeded
   */
  void count(@Nullable ByteBuffer chunk) {
    handedOut += chunk == null ? 0 : chunk.remaining();
    if (handedOut > most) {
      throw BodyErrors.tooLarge(most).with("received", handedOut);
    }
    if (!streams && admitted && kept > keeps) {
      keep(kept); // more than reserved
    }
  }

  /**
   * Reserves memory for the buffered bytes of the body. Waits for it if the thread may block.
   *
   * @throws HttpError 503 if there is not enough memory
   */
  void keep(long bytes) {
    kept = Math.max(kept, bytes);
    if (admitted && bytes <= keeps) {
      return;
    }
    if (room().take(bytes, admitted ? BodyMemory.Purpose.BODY : BodyMemory.Purpose.PARSED)) {
      keeps = admitted ? bytes : keeps;
    } else if (admitted && bytes <= mostKept && mayPark()) {
      keeps = bytes;
      Parked parked = new Parked(Thread.currentThread());
      makeRoom(bytes, BodyMemory.Purpose.BODY, parked);
      parked.awaitRoom(exchange);
    } else {
      throw BodyErrors.memoryUnavailable();
    }
  }

  /** Waits for the next chunk; returns null at the end. */
  @Nullable ByteBuffer await() throws Throwable {
    if (!exchange.mayBlock()) {
      throw new IllegalStateException(
          "reading here would block the event loop; use read or publisher, or another thread mode");
    }
    Parked parked = new Parked(Thread.currentThread());
    next(parked);
    return parked.await(exchange);
  }

  /** Reads the next chunk; before the first chunk, waits for memory if the body is buffered. */
  void next(Exchange.OnRead callback) {
    awaited = true;
    if (asked) {
      nextPiece(callback);
      return;
    }
    asked = true;
    if (streams) {
      nextPiece(callback);
      return;
    }
    // Only a share at first: a client that announces much and sends little gets no more.
    makeRoom(Math.min(keeps, BodyMemory.SHARE), BodyMemory.Purpose.SHARE, roomFor(callback));
  }

  /** Creates a callback that reads the next chunk once memory is reserved. */
  private Exchange.OnRead roomFor(Exchange.OnRead callback) {
    return (none, failure) -> {
      if (failure == null) {
        nextPiece(callback);
      } else {
        give(callback, null, failure);
      }
    };
  }

  /** Passes a chunk, the end or a failure to the waiting reader. */
  private void give(
      Exchange.OnRead callback, @Nullable ByteBuffer chunk, @Nullable Throwable failure) {
    readAt = System.nanoTime();
    awaited = false;
    callback.read(chunk, failure);
  }

  /** Stops counting the last chunk, because the handler of a stream has taken it. */
  private void pass() {
    if (unpassed > 0) {
      room().pass(unpassed);
      unpassed = 0;
    }
  }

  /** Reads the next chunk, once there is memory to buffer it. */
  private void nextPiece(Exchange.OnRead callback) {
    if (streams) {
      pass();
    } else if (admitted && keeps < mostKept && kept + (keepsPieces ? PIECE : STEP) > keeps) {
      keeps = Math.min(mostKept, kept + (keepsPieces ? STEP : 2 * STEP));
      makeRoom(keeps, BodyMemory.Purpose.BODY, roomFor(callback));
      return;
    }
    exchange.read(
        (chunk, failure) -> {
          long bytes = chunk == null ? 0 : counter.applyAsInt(chunk);
          received += bytes;
          if (streams) {
            unpassed = bytes;
          } else if (keepsPieces) {
            kept += bytes;
          }
          if (received > limit) {
            exchange.abort();
            give(callback, null, new ClientDisconnectedException(null));
          } else if (chunk != null && !streams && !admitted && isLarge()) {
            admitted = true;
            // Before the reader sees the chunk: from then on it may buffer the whole body.
            makeRoom(
                keeps,
                BodyMemory.Purpose.BODY,
                (none, rejected) -> give(callback, rejected == null ? chunk : null, rejected));
          } else {
            give(callback, chunk, failure);
          }
        });
  }

  /** Returns true if the body exceeds the share of a connection, and part of it has arrived. */
  private boolean isLarge() {
    return keeps > BodyMemory.SHARE && received >= BodyMemory.SHARE / 4;
  }

  private void take() {
    if (taken) {
      throw new HttpError(500, "the body has been read already", "stream.not.readable", null);
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
      Parked parked = new Parked(Thread.currentThread());
      makeRoom(reader, reader.parsedBytes(false), parked);
      parked.await(exchange);
    } catch (Throwable thrown) {
      failure = thrown;
    }
    reader.done(failure);
  }

  private void readLater(ChunkReader reader) {
    next((chunk, failure) -> exchange.executor().execute(() -> take(reader, chunk, failure)));
  }

  private void take(ChunkReader reader, @Nullable ByteBuffer chunk, @Nullable Throwable failure) {
    if (chunk == null) {
      finish(reader, failure);
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
      finish(reader, null);
    }
  }

  private void finish(ChunkReader reader, @Nullable Throwable failure) {
    if (failure != null) {
      reader.done(failure);
      return;
    }
    long bound;
    try {
      bound = reader.parsedBytes(false);
    } catch (Throwable thrown) {
      reader.done(thrown);
      return;
    }
    makeRoom(
        reader,
        bound,
        (none, rejected) -> {
          if (exchange.executor().isCurrent()) {
            reader.done(rejected);
          } else {
            exchange.executor().execute(() -> reader.done(rejected));
          }
        });
  }

  /** Reserves memory for the parsed value. The callback gets no chunk. */
  private void makeRoom(ChunkReader reader, long bound, Exchange.OnRead callback) {
    if (bound <= 0) {
      callback.read(null, null);
      return;
    }
    BodyMemory memory = room().memory();
    if (bound <= memory.maxBodySize() && room().take(bound, BodyMemory.Purpose.PARSED)) {
      callback.read(null, null);
      return;
    }
    long exact = reader.parsedBytes(true);
    if (exact > 2 * memory.budget()) {
      callback.read(null, BodyErrors.tooLarge(memory.maxBodySize()));
      return;
    }
    makeRoom(Math.min(exact, memory.maxBodySize()), BodyMemory.Purpose.PARSED, callback);
  }

  private void makeRoom(long bytes, BodyMemory.Purpose purpose, Exchange.OnRead callback) {
    if (bytes <= 0) {
      callback.read(null, null);
      return;
    }
    BodyMemory.Reservation place = room();
    long most = place.memory().maxBodySize();
    if (bytes > most) {
      callback.read(null, BodyErrors.tooLarge(most));
      return;
    }
    place.await(
        bytes,
        purpose == BodyMemory.Purpose.BODY ? Math.max(bytes, mostKept) : bytes,
        purpose,
        exchange.bodyTimeout(),
        granted -> {
          if (granted) {
            callback.read(null, null);
          } else {
            callback.read(
                null,
                place.isOver()
                    ? new ClientDisconnectedException(null)
                    : BodyErrors.memoryUnavailable());
          }
        });
  }

  private BodyMemory.Reservation room() {
    BodyMemory.Reservation known = reservation;
    if (known == null) {
      known = exchange.reservation();
      reservation = known;
      finishHooks.add(known::release);
    }
    return known;
  }

  /**
   * Buffers all bytes. Reserves the whole length if it is known, otherwise {@link #STEP} bytes
   * first.
   */
  private void collect(long announced, long limit) {
    long expected = announced < 0 ? limit : Math.min(announced, limit);
    mostKept = announced < 0 ? Math.min(expected, room().memory().maxBodySize()) : expected;
    keeps = announced < 0 ? Math.min(mostKept, STEP) : expected;
    keepsPieces = true;
  }

  /** Waits for one chunk on its thread. */
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
      if (thread != Thread.currentThread()) { // it is the current one if the chunk was available
        LockSupport.unpark(thread);
      }
    }

    void awaitRoom(Exchange exchange) {
      try {
        ByteBuffer ignored = await(exchange);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable gone) {
        throw BodyErrors.memoryUnavailable();
      }
    }

    @Nullable ByteBuffer await(Exchange exchange) throws Throwable {
      if (!done) {
        VirtualThreads.runBlocking(() -> exchange.await(() -> done));
      }
      if (failure != null) {
        throw failure;
      }
      return chunk;
    }
  }
}
