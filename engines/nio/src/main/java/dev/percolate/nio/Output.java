package dev.percolate.nio;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange.OnWritten;
import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.loop.SlowClientMeter;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.transport.LoopMemory;
import dev.percolate.nio.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection, in order. Used on its event loop only.
 *
 * <p>Short chunks are collected in the loop's arena until the end of the iteration. Long chunks,
 * files, and bytes that the client does not accept at once wait in a queue, which is passed to the
 * system in parts. A mark is called when everything written before it has been sent.
 */
final class Output {

  /** Longer chunks are not copied into the arena. */
  private static final int MOST_IN_ARENA = 16 << 10;

  /** How many parts are written before other connections are processed. */
  private static final int MOST_PARTS = 4;

  /** The time between attempts to write while the socket buffer is full. */
  private static final long TRY = TimeUnit.SECONDS.toNanos(2);

  /** The number of waiting bytes up to which the next request is begun. */
  private static final int MUCH = 64 << 10;

  private final Transport transport;
  private final LoopMemory memory;

  /** Heap buffers and files; null until something has had to wait. */
  private @Nullable Deque<Object> queue;

  private @Nullable Deque<Mark> marks;
  private int arenaBegin = -1;
  private int arenaEnd;
  private long queued;
  private long written;

  /** The position at which the last complete response ends. */
  private long whole;

  private boolean full;
  private long triedAt;

  /** Null until a periodic check has found waiting bytes. */
  private @Nullable SlowClientMeter meter;

  /** Null until bytes have had to wait for the client. */
  private @Nullable ResponseRate rate;

  /** A callback for the time when the output before an index has been sent or has failed. */
  private record Mark(long at, OnWritten callback) {}

  Output(Transport transport, LoopMemory memory) {
    this.transport = transport;
    this.memory = memory;
  }

  /** Writes bytes that may change afterwards. */
  void put(byte[] bytes, int from, int length) {
    if (fitsInArena(length)) {
      ByteBuffer arena = inArena();
      arena.put(bytes, from, length);
      arenaEnd = arena.position();
    } else if (length > 0) {
      byte[] copy = new byte[length];
      System.arraycopy(bytes, from, copy, 0, length);
      queue().add(ByteBuffer.wrap(copy));
    }
    queued += length;
  }

  /** Writes bytes that must not change until they are sent. */
  void put(ByteBuffer bytes) {
    int length = bytes.remaining();
    if (fitsInArena(length)) {
      ByteBuffer arena = inArena();
      arena.put(bytes.duplicate());
      arenaEnd = arena.position();
    } else if (length > 0) {
      queue().add(bytes.slice());
    }
    queued += length;
  }

  /** Writes a part of a file. */
  void put(FilePump file) {
    queue().add(file);
    queued += file.left();
  }

  /** Records that the output so far ends a response. */
  void endResponse() {
    whole = queued;
  }

  /** Returns true if a part of a complete response waits to be sent. */
  boolean owesResponse() {
    return written < whole;
  }

  /** Adds a mark after the output so far. Its callback is called once. */
  void mark(OnWritten callback) {
    Deque<Mark> all = marks;
    if (all == null) {
      all = new ArrayDeque<>(2);
      marks = all;
    }
    all.add(new Mark(queued, callback));
  }

  /** Returns the total number of bytes that were sent. */
  long written() {
    return written;
  }

  /** Returns the number of bytes that wait to be sent. */
  long pending() {
    return queued - written;
  }

  /** Returns true if output waits to be sent. */
  boolean isPending() {
    return written < queued;
  }

  /** Returns true if the client has taken no bytes for some time. Must be called periodically. */
  boolean isStuck(long now, Duration most) {
    SlowClientMeter known = meter;
    if (known == null) {
      if (!isPending()) {
        return false;
      }
      known = new SlowClientMeter();
      meter = known;
    }
    return known.isTooSlow(now, written, isPending(), most, 0);
  }

  /**
   * Returns true if it is time to try a write although the socket is not reported as writable. With
   * large buffers the system reports that only once a third is free. Until then, a client that
   * reads slowly looks like one that does not read.
   */
  boolean isToBeTried(long now) {
    boolean isDue = full && now - triedAt > TRY;
    if (isDue || !full) {
      triedAt = now;
    }
    return isDue;
  }

  /**
   * Returns true if the client has taken none, or too few, of the bytes that wait for it; must be
   * called periodically.
   */
  boolean isTooSlow(long now, ListenOptions options) {
    return isStuck(now, options.writeTimeout()) || isTooSlow(now, options.minResponseRate());
  }

  private boolean isTooSlow(long now, int leastRate) {
    ResponseRate known = rate;
    if (known == null) {
      if (!full) {
        return false;
      }
      known = new ResponseRate();
      rate = known;
    }
    return known.isTooSlow(now, written, full, leastRate);
  }

  /** Returns true if little enough output waits to begin another request. */
  boolean hasRoom() {
    return queued - written < MUCH;
  }

  /** Returns true if the system accepts no more bytes for now. */
  boolean isFull() {
    return full;
  }

  /**
   * Passes output to the system and calls the marks that are reached.
   *
   * @return true if there is more output that the system may accept
   * @throws IOException if the client has disconnected
   */
  boolean flush() throws IOException {
    full = false;
    boolean more = false;
    if (arenaBegin >= 0 && (queue == null || queue.isEmpty())) {
      flushArena();
    } else {
      arenaToQueue();
    }
    if (!full && queue != null) {
      more = flushQueue(queue);
    }
    tellMarks();
    return more;
  }

  /**
   * Records the result for a chunk of the first file. Returns true if writing can continue.
   *
   * @throws IOException if the file cannot be sent
   */
  boolean moved(FilePump file, FilePump.Step step) throws IOException {
    if (step.failure() != null) {
      throw new IOException(step.failure());
    }
    boolean all = file.moved(step);
    if (step.read() != null) {
      queue().addFirst(step.read());
      return true;
    }
    written += step.bytes();
    full = !all;
    return all;
  }

  /** Discards the waiting output and notifies all marks, because the client has disconnected. */
  void drop() {
    Deque<Object> left = queue;
    queue = null;
    arenaBegin = -1;
    if (left != null) {
      for (Object one : left) {
        if (one instanceof FilePump file) {
          file.close();
        }
      }
    }
    Deque<Mark> all = marks;
    marks = null;
    if (all != null) {
      ClientDisconnectedException gone =
          new ClientDisconnectedException(null); // created only if needed
      all.forEach(mark -> tell(mark.callback, gone));
    }
  }

  /** Calls back. Logs a failure, which must not reach the connection or other callbacks. */
  private static void tell(OnWritten callback, @Nullable Throwable failure) {
    try {
      callback.written(failure);
    } catch (Throwable thrown) {
      Callbacks.failed("a write callback", thrown);
    }
  }

  /** Returns true if a chunk can be added to this connection's part of the arena. */
  private boolean fitsInArena(int length) {
    ByteBuffer arena = memory.arena();
    return length <= MOST_IN_ARENA
        && length <= arena.remaining()
        && (queue == null || queue.isEmpty())
        && (arenaBegin < 0 || arenaEnd == arena.position());
  }

  private ByteBuffer inArena() {
    ByteBuffer arena = memory.arena();
    if (arenaBegin < 0) {
      arenaBegin = arena.position();
    }
    return arena;
  }

  private Deque<Object> queue() {
    Deque<Object> all = queue;
    if (all == null) {
      all = new ArrayDeque<>(4);
      queue = all;
    }
    return all;
  }

  private void flushArena() throws IOException {
    ByteBuffer arena = memory.arena();
    int position = arena.position();
    arena.limit(arenaEnd).position(arenaBegin);
    try {
      transport.write(arena);
      written += arena.position() - arenaBegin;
      arenaBegin = arena.hasRemaining() ? arena.position() : -1;
    } finally {
      arena.limit(arena.capacity()).position(position);
    }
    if (arenaBegin >= 0) {
      full = true;
      arenaToQueue();
    }
  }

  /** Moves the rest in the arena, which other connections need, to the front of the queue. */
  private void arenaToQueue() {
    if (arenaBegin >= 0) {
      byte[] rest = new byte[arenaEnd - arenaBegin];
      memory.arena().get(arenaBegin, rest);
      arenaBegin = -1;
      queue().addFirst(ByteBuffer.wrap(rest));
    }
  }

  private boolean flushQueue(Deque<Object> waiting) throws IOException {
    for (int parts = 0; !waiting.isEmpty() && !full; parts++) {
      if (waiting.peek() instanceof FilePump file) {
        if (!file.isOver()) {
          file.goOn();
          return false; // its progress callback continues
        }
        waiting.remove();
      } else if (parts == MOST_PARTS) {
        return true;
      } else {
        flushPart(waiting);
      }
    }
    return false;
  }

  /** Writes from the front of the queue, at most one buffer. */
  private void flushPart(Deque<Object> waiting) throws IOException {
    ByteBuffer piece = memory.piece().clear();
    for (Object one : waiting) {
      if (!(one instanceof ByteBuffer bytes) || !piece.hasRemaining()) {
        break;
      }
      int count = Math.min(piece.remaining(), bytes.remaining());
      piece.put(bytes.slice(bytes.position(), count));
    }
    piece.flip();
    transport.write(piece);
    int taken = piece.position();
    full = piece.hasRemaining();
    written += taken;
    while (taken > 0 && waiting.peek() instanceof ByteBuffer bytes) {
      int count = Math.min(taken, bytes.remaining());
      bytes.position(bytes.position() + count);
      taken -= count;
      if (!bytes.hasRemaining()) {
        waiting.remove();
      }
    }
  }

  private void tellMarks() {
    Deque<Mark> all = marks;
    while (all != null && !all.isEmpty() && all.peek().at <= written) {
      tell(all.remove().callback, null);
    }
  }
}
