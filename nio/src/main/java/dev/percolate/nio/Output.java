package dev.percolate.nio;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.ListenOptions;
import dev.percolate.nio.protocol.FilePump;
import dev.percolate.nio.wire.LoopMemory;
import dev.percolate.nio.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on one connection, in order; used on its loop only.
 *
 * <p>Short pieces lie in the arena of the loop until the end of the turn. What the client does not
 * take then, long pieces and files wait in a queue, from which they are handed to the kernel in
 * parts. Who wants to know when the kernel has taken something puts a mark behind it.
 */
final class Output {

  /** Longer pieces are not copied into the arena. */
  private static final int MOST_IN_ARENA = 16 << 10;

  /** How many parts are written before other connections have their turn. */
  private static final int MOST_PARTS = 4;

  /** The time between attempts to write while the socket buffer is full. */
  private static final long TRY = TimeUnit.SECONDS.toNanos(2);

  /** What may wait for the client while the next request is begun. */
  private static final int MUCH = 64 << 10;

  private final Wire wire;
  private final LoopMemory memory;

  /** Pieces on the heap, and files; null as long as nothing has had to wait. */
  private @Nullable Deque<Object> queue;

  private @Nullable Deque<Marked> marks;
  private int arenaBegin = -1;
  private int arenaEnd;
  private long queued;
  private long written;

  /** Where the last answer ends that is whole. */
  private long whole;

  private long stuckAt = -1;
  private long stuckSince;
  private boolean full;
  private long triedAt;

  /** Null until bytes have had to wait for the client. */
  private @Nullable ResponseRate rate;

  /** Is called when the kernel has taken all that was written before it was set. */
  @FunctionalInterface
  interface Mark {

    /**
     * Takes note.
     *
     * @param failure why it never will; null if it has
     */
    void reached(@Nullable Throwable failure);
  }

  private record Marked(long at, Mark mark) {}

  Output(Wire wire, LoopMemory memory) {
    this.wire = wire;
    this.memory = memory;
  }

  /** Writes bytes that may be changed afterwards. */
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

  /** Writes bytes that are not changed until they have gone out. */
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

  /** Notes that what was written until now ends an answer. */
  void endAnswer() {
    whole = queued;
  }

  /** Tells whether something of a whole answer waits for the client. */
  boolean owesAnswer() {
    return written < whole;
  }

  /** Has somebody told when all that was written until now has been taken. */
  void mark(Mark mark) {
    Deque<Marked> all = marks;
    if (all == null) {
      all = new ArrayDeque<>(2);
      marks = all;
    }
    all.add(new Marked(queued, mark));
  }

  /** Returns how many bytes the client has taken in all. */
  long written() {
    return written;
  }

  /** Returns how many bytes wait for the client. */
  long pending() {
    return queued - written;
  }

  /** Tells whether something waits for the client. */
  boolean isPending() {
    return written < queued;
  }

  /** Tells whether the client has taken nothing for some time; to be asked now and then. */
  boolean isStuck(long now, Duration most) {
    if (!isPending() || written != stuckAt) {
      stuckAt = isPending() ? written : -1;
      stuckSince = now;
      return false;
    }
    return now - stuckSince > most.toNanos();
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

  /** Tells whether the client has taken enough for another answer. */
  boolean hasRoom() {
    return queued - written < MUCH;
  }

  /** Tells whether the kernel takes no more for now. */
  boolean isFull() {
    return full;
  }

  /**
   * Hands the kernel what it takes, and tells those who wait for that.
   *
   * @return whether there is more to be written that it may take
   * @throws IOException if the client has gone
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
   * Notes what has become of a piece of the file in front; tells whether to go on at once.
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

  /** Ends: nothing of what waits goes out any more, since the client has gone. */
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
    Deque<Marked> all = marks;
    marks = null;
    if (all != null) {
      ClientGone gone = new ClientGone(null); // not made for nothing: most that end owe nothing
      all.forEach(marked -> tell(marked.mark, gone));
    }
  }

  /** Calls back. Logs a failure, which must not reach the connection or other callbacks. */
  private static void tell(Mark mark, @Nullable Throwable failure) {
    try {
      mark.reached(failure);
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of a write", thrown);
    }
  }

  /** Tells whether a piece goes behind what this connection has in the arena, if anything. */
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
      wire.write(arena);
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

  /** Moves what is left in the arena, which others need, in front of what waits. */
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
          return false; // it tells when it has
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

  /** Writes what stands in front of the queue, up to a piece. */
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
    wire.write(piece);
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
    Deque<Marked> all = marks;
    while (all != null && !all.isEmpty() && all.peek().at <= written) {
      tell(all.remove().mark, null);
    }
  }
}
