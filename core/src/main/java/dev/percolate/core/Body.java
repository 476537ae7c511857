package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Turn;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of one request, once. A body that is collected first waits for room in {@link
 * BodyMemory}. A body that is read as a stream is passed on piece by piece.
 *
 * <p>Where threads may wait for a body ({@link Turn#parks}) and the running step asks, its thread
 * parks for each piece, and the reader is called inside the same call: thread locals, scoped values
 * and {@code finally} around it hold. Everywhere else the reader is called later, on the turn.
 */
final class Body {

  /** The first room of a body of unknown length, and the step by which it grows, in bytes. */
  private static final int STEP = 64 << 10;

  private static final int PIECE = 16 << 10;

  private final Exchange exchange;
  private final Owner owner;
  private boolean taken;
  private boolean asked;
  private boolean admitted;

  /** The bytes to collect: those with room, those claimed at most, and those kept so far. */
  private long keeps;

  private long mostKept;
  private long kept;

  /** Whether arriving bytes are kept; if not, the reader reports what it keeps. */
  private boolean keepsPieces;

  private boolean streams;
  private long unpassed;
  private long limit = Long.MAX_VALUE;
  private long received;

  /** How many bytes a stream or publisher hands out at most, and how many it has. */
  private long most;

  private long handedOut;
  private BodyMemory.@Nullable Room room;

  /** Whether somebody waits for a piece, and when the last one came; 0 for never. */
  private volatile boolean awaited;

  private volatile long readAt;

  /** The request, as the reading of its body sees it. */
  interface Owner {

    /** Returns how many bytes are announced; negative if that is not known. */
    long announced();

    /** Returns how many bytes streams give at most. */
    long streamLimit();

    /** Registers what is called when the exchange is over. */
    void onFinish(Runnable hook);
  }

  Body(Exchange exchange, Owner owner) {
    this.exchange = exchange;
    this.owner = owner;
  }

  /** Tells whether nobody has begun to read. */
  boolean readable() {
    return !taken;
  }

  void readable(boolean readable) {
    taken = !readable;
  }

  /**
   * Returns when a piece was read last: now if somebody waits for one.
   *
   * @param before what counts if nothing was read
   */
  long readAt(long now, long before) {
    long last = readAt;
    return awaited ? now : last == 0 ? before : last;
  }

  /** Sets where reading cuts the connection; the first limit counts. */
  void limit(long bytes) {
    if (limit == Long.MAX_VALUE) {
      limit = bytes;
    }
  }

  void read(ChunkReader reader) {
    take();
    long announced = owner.announced();
    long known = reader.keeps(announced);
    if (known < 0) {
      collect(announced, Math.min(owner.streamLimit(), room().memory().mostOfOne()));
    } else if (known == announced && reader.mayKeep(announced) == known) {
      keeps = known;
      mostKept = known;
    } else { // an estimate, which the limit may lower
      long most = room().memory().mostOfOne();
      mostKept = Math.min(reader.mayKeep(announced), most);
      // A reader that grows within a piece cannot wait for room where its thread may not park.
      keeps = mayPark() ? Math.min(known, most) : mostKept;
    }
    if (mayPark()) {
      readHere(reader);
    } else {
      readLater(reader);
    }
  }

  private boolean mayPark() {
    return exchange.turn().parks() && exchange.turn().isMine();
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
   * Collects up to a number of bytes of a stream from now on, so that they wait for room.
   *
   * @return the number of bytes to come; negative if it is not known
   */
  long collects(long bytes) {
    pass();
    long announced = owner.announced();
    long left = announced < 0 ? -1 : Math.max(0, announced - handedOut);
    long wanted = Math.min(bytes, most - handedOut);
    streams = false;
    admitted = false;
    asked = false;
    long before = kept;
    collect(left, wanted);
    if (left < 0) {
      mostKept = Math.min(mostKept, Math.max(STEP, owner.streamLimit()));
    }
    keeps += before;
    mostKept += before;
    return left < 0 ? left : Math.min(left, wanted);
  }

  /** Stops collecting: later pieces are passed on; collected bytes still count as kept. */
  void streamsOn() {
    streams = true;
  }

  /**
   * Counts a piece that a stream or publisher hands out.
   *
   * @throws HttpError 413 beyond its limit
   */
  void count(@Nullable ByteBuffer chunk) {
    handedOut += chunk == null ? 0 : chunk.remaining();
    if (handedOut > most) {
      throw BodyErrors.tooLarge(most).with("received", handedOut);
    }
    if (!streams && admitted && kept > keeps) {
      keep(kept); // more than its claim
    }
  }

  /**
   * Takes room for the kept bytes of the body; waits for it if the thread may block.
   *
   * @throws HttpError 503 if there is none
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
      throw BodyErrors.noRoom();
    }
  }

  /** Waits for the next piece; null at the end. */
  @Nullable ByteBuffer await() throws Throwable {
    if (!exchange.mayBlock()) {
      throw new IllegalStateException(
          "reading here would block the event loop; use read or publisher, or another thread mode");
    }
    Parked parked = new Parked(Thread.currentThread());
    next(parked);
    return parked.await(exchange);
  }

  /** Reads the next piece, the first when there is room for the body. */
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
    // Only a share at first: a client that announces much and sends little must not take more.
    makeRoom(Math.min(keeps, BodyMemory.SHARE), BodyMemory.Purpose.SHARE, roomFor(callback));
  }

  /** Creates the callback that reads the next piece once there is room. */
  private Exchange.OnRead roomFor(Exchange.OnRead callback) {
    return (none, failure) -> {
      if (failure == null) {
        nextPiece(callback);
      } else {
        give(callback, null, failure);
      }
    };
  }

  /** Gives a piece, the end or a failure to who waits for it. */
  private void give(
      Exchange.OnRead callback, @Nullable ByteBuffer chunk, @Nullable Throwable failure) {
    readAt = System.nanoTime();
    awaited = false;
    callback.read(chunk, failure);
  }

  /** Stops counting the last piece, because the handler of a stream has taken it. */
  private void pass() {
    if (unpassed > 0) {
      room().pass(unpassed);
      unpassed = 0;
    }
  }

  /** Reads the next piece, up to the limit, once there is room to keep it. */
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
          long bytes = chunk == null ? 0 : chunk.remaining();
          received += bytes;
          if (streams) {
            unpassed = bytes;
          } else if (keepsPieces) {
            kept += bytes;
          }
          if (received > limit) {
            exchange.abort();
            give(callback, null, new ClientGone(null));
          } else if (chunk != null && !streams && !admitted && isLarge()) {
            admitted = true;
            // Before the reader sees the piece: it may keep room for all of the body from then on.
            makeRoom(
                keeps,
                BodyMemory.Purpose.BODY,
                (none, refused) -> give(callback, refused == null ? chunk : null, refused));
          } else {
            give(callback, chunk, failure);
          }
        });
  }

  /** Tells whether more is coming than the share of a connection: it is not only announced. */
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
      makeRoom(reader, reader.makes(false), parked);
      parked.await(exchange);
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
      bound = reader.makes(false);
    } catch (Throwable thrown) {
      reader.done(thrown);
      return;
    }
    makeRoom(
        reader,
        bound,
        (none, refused) -> {
          if (exchange.turn().isMine()) {
            reader.done(refused);
          } else {
            exchange.turn().execute(() -> reader.done(refused));
          }
        });
  }

  /** Makes room for what the reader makes of the body; the callback gets no piece. */
  private void makeRoom(ChunkReader reader, long bound, Exchange.OnRead callback) {
    if (bound <= 0) {
      callback.read(null, null);
      return;
    }
    BodyMemory memory = room().memory();
    if (bound <= memory.mostOfOne() && room().take(bound, BodyMemory.Purpose.PARSED)) {
      callback.read(null, null);
      return;
    }
    long exact = reader.makes(true);
    if (exact > 2 * memory.budget()) {
      callback.read(null, BodyErrors.tooLarge(memory.mostOfOne()));
      return;
    }
    makeRoom(Math.min(exact, memory.mostOfOne()), BodyMemory.Purpose.PARSED, callback);
  }

  private void makeRoom(long bytes, BodyMemory.Purpose purpose, Exchange.OnRead callback) {
    if (bytes <= 0) {
      callback.read(null, null);
      return;
    }
    BodyMemory.Room place = room();
    long most = place.memory().mostOfOne();
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
            callback.read(null, place.isOver() ? new ClientGone(null) : BodyErrors.noRoom());
          }
        });
  }

  private BodyMemory.Room room() {
    BodyMemory.Room known = room;
    if (known == null) {
      known = exchange.room();
      room = known;
      owner.onFinish(known::release);
    }
    return known;
  }

  /** Keeps all arriving bytes: with room for the whole length if known, else for a step first. */
  private void collect(long announced, long limit) {
    long expected = announced < 0 ? limit : Math.min(announced, limit);
    mostKept = announced < 0 ? Math.min(expected, room().memory().mostOfOne()) : expected;
    keeps = announced < 0 ? Math.min(mostKept, STEP) : expected;
    keepsPieces = true;
  }

  /** Waits on its thread for one piece. */
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

    void awaitRoom(Exchange exchange) {
      try {
        ByteBuffer ignored = await(exchange);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable gone) {
        throw BodyErrors.noRoom();
      }
    }

    @Nullable ByteBuffer await(Exchange exchange) throws Throwable {
      if (!done) {
        VirtualThreads.outOfTurn(() -> exchange.await(() -> done));
      }
      if (failure != null) {
        throw failure;
      }
      return chunk;
    }
  }
}
