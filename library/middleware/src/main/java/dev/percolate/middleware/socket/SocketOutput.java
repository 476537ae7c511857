package dev.percolate.middleware.socket;

import dev.percolate.core.UpgradedConnection;
import dev.percolate.core.WriteGate;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one socket, in order, with back-pressure. Thread-safe.
 *
 * <p>Frames of different messages are not mixed: other messages wait until a fragmented message is
 * complete. Control frames can be sent between its fragments. Nothing is sent after a close frame.
 */
public final class SocketOutput {

  /** The maximum number of unwritten pongs. Later pings get one common pong (RFC 6455 5.5.3). */
  private static final int MOST_PONGS = 16;

  private final UpgradedConnection connection;
  private final Duration patience;
  private final Runnable tooSlow;
  private final WriteGate gate;
  private final OfferQueue<ByteBuffer> offers;
  private final AtomicInteger pongs = new AtomicInteger();

  /** Is called when the client has read enough; null for none. */
  private final AtomicReference<@Nullable Runnable> onRoom = new AtomicReference<>();

  private volatile byte @Nullable [] lastPing;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition unfragmented = lock.newCondition();

  // Guarded by the lock.
  private @Nullable Deque<Runnable> held;
  private @Nullable Object fragmenting;
  private boolean closed;
  private boolean ended;

  /** Whether to wake the waiting senders when the lock is released. */
  private boolean wakes;

  /** The close frame, until it is written. */
  private @Nullable ByteBuffer farewell;

  private final LongAdder messages = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /**
   * Creates the output of a connection.
   *
   * @param patience how long a sender waits
   * @param tooSlow closes the socket if the client reads too slowly
   */
  SocketOutput(UpgradedConnection connection, Duration patience, Runnable tooSlow) {
    this.connection = connection;
    this.patience = patience;
    this.tooSlow = tooSlow;
    this.gate = new WriteGate(connection::await);
    this.offers = new OfferQueue<>(connection.blocksWriters(), this::sendOffered);
  }

  /** Sends a whole message. Waits if the client is slow. */
  public void send(ByteBuffer frame) throws IOException {
    fragment(frame, frame, true); // the first and last fragment of its message
  }

  /**
   * Sends a fragment. Other messages wait from the first to the last fragment.
   *
   * @param message the message of the fragment
   */
  void fragment(Object message, ByteBuffer frame, boolean last) throws IOException {
    boolean mayWait = connection.mayBlock();
    checkRoom(frame.remaining(), mayWait);
    boolean late;
    lock.lock();
    try {
      late = fragmenting != message && !awaitUnfragmented(mayWait);
      if (!late) {
        checkOpen();
        fragmenting = message;
        write(frame, SocketOutput::doNothing);
        if (last) {
          messages.increment();
          endFragments();
        }
      }
    } finally {
      unlock();
    }
    if (late) {
      throw tooSlow();
    }
    await(mayWait);
  }

  /**
   * Queues a whole message without blocking, unless the queue is full.
   *
   * @param frame the frame, which may be shared with other sockets
   * @param most the maximum number of queued bytes
   * @return whether the message will be sent
   */
  public boolean offer(ByteBuffer frame, long most) {
    return offers.offer(frame, frame.remaining(), most);
  }

  /** Waits until the queue is short enough; returns false if that takes too long. */
  public boolean awaitRoom(long end) {
    return offers.awaitRoom(end);
  }

  /**
   * Returns true if few enough bytes are unwritten. Otherwise, schedules a callback. Used by one
   * caller at a time.
   *
   * @param again is called when the client has read enough. If that takes too long, the socket is
   *     closed
   */
  public boolean hasRoom(Runnable again) {
    if (!gate.isHigh() || gate.isBroken()) {
      return true;
    }
    if (onRoom.get() == null) {
      Runnable cancel = DaemonTimer.after(patience, this::checkPatience);
      onRoom.set(
          () -> {
            cancel.run();
            again.run();
          });
      if (gate.isDrained()) {
        wake();
      }
    }
    return false;
  }

  /** Sends a ping. */
  public void ping(byte[] payload) {
    passing(() -> writeUnlessClosed(Frame.of(Frame.PING, payload)));
  }

  /** Responds to a ping. If too many pongs are unwritten, responds later to the last ping only. */
  public void pong(byte[] payload) {
    if (pongs.incrementAndGet() > MOST_PONGS) {
      pongs.decrementAndGet();
      lastPing = payload;
      return;
    }
    passing(() -> writePong(payload));
  }

  /** Sends a close frame, after which nothing is sent. Does nothing if one was sent before. */
  public void close(ByteBuffer frame) {
    locked(
        () -> {
          if (!closed) {
            closed = true;
            farewell = frame;
            unfragmented.signalAll();
          }
        });
    passing(this::writeFarewell);
  }

  /** Ends the connection, after a close frame unless one was sent before. */
  public void end(@Nullable ByteBuffer frame) {
    passing(() -> endNow(frame));
  }

  /** Marks the connection as ended, and wakes waiting senders. */
  public void gone() {
    gate.fail(new ClientDisconnectedException(null));
    locked(
        () -> {
          closed = true;
          ended = true;
          held = null;
          unfragmented.signalAll();
        });
    wake();
  }

  /** Returns the number of messages sent. */
  public long messages() {
    return messages.sum();
  }

  /** Returns the number of bytes sent. */
  public long bytes() {
    return bytes.sum();
  }

  private void sendOffered(ByteBuffer frame, Runnable done) {
    locked(
        () -> {
          if (closed) {
            done.run();
          } else if (fragmenting != null) {
            held = held == null ? new ArrayDeque<>(2) : held;
            held.add(() -> writeOffered(frame, done));
          } else {
            writeOffered(frame, done);
          }
        });
  }

  private void writeOffered(ByteBuffer frame, Runnable done) {
    messages.increment();
    write(frame.duplicate(), done);
  }

  private void endFragments() {
    fragmenting = null;
    unfragmented.signalAll();
    Deque<Runnable> all = held;
    held = null;
    if (all != null) {
      all.forEach(Runnable::run);
    }
  }

  private void writePong(byte[] payload) {
    ByteBuffer frame = Frame.of(Frame.PONG, payload);
    locked(
        () -> {
          if (!closed) {
            bytes.add(frame.remaining());
            connection.write(frame, failure -> pongWritten());
          }
        });
  }

  private void pongWritten() {
    pongs.decrementAndGet();
    byte[] next = lastPing;
    if (next != null) {
      lastPing = null;
      pong(next);
    }
  }

  private void writeUnlessClosed(ByteBuffer frame) {
    locked(
        () -> {
          if (!closed) {
            write(frame, SocketOutput::doNothing);
          }
        });
  }

  private void writeFarewell() {
    locked(
        () -> {
          ByteBuffer frame = farewell;
          farewell = null;
          if (frame != null && !ended) {
            write(frame, SocketOutput::doNothing);
          }
        });
  }

  private void endNow(@Nullable ByteBuffer frame) {
    ByteBuffer last;
    lock.lock();
    try {
      if (ended) {
        return;
      }
      ended = true;
      ByteBuffer own = farewell; // the client may close before our close frame is written
      last = own == null && !closed ? frame : own;
      last = last == null ? ByteBuffer.allocate(0) : last;
      farewell = null;
      closed = true; // nothing is written while the connection ends, or after that
      bytes.add(last.remaining());
      unfragmented.signalAll();
    } finally {
      lock.unlock();
    }
    connection.end(last);
  }

  /** Writes without blocking the calling thread: on another thread if the engine's writes block. */
  private void passing(Runnable writing) {
    if (connection.blocksWriters()) {
      SocketThreads.execute(writing);
    } else {
      writing.run();
    }
  }

  private void write(ByteBuffer frame, Runnable done) {
    int size = frame.remaining();
    bytes.add(size);
    gate.passed(size);
    connection.write(
        frame,
        failure -> {
          done.run();
          written(size, failure);
        });
  }

  private void written(int size, @Nullable Throwable failure) {
    if (gate.written(size, failure)) {
      if (lock.isHeldByCurrentThread()) {
        wakes = true;
      } else {
        wake();
      }
    }
  }

  private void locked(Runnable task) {
    lock.lock();
    try {
      task.run();
    } finally {
      unlock();
    }
  }

  /** Releases the lock, then wakes waiting senders if necessary. */
  private void unlock() {
    boolean wakesNow = wakes && lock.getHoldCount() == 1;
    wakes &= !wakesNow;
    lock.unlock();
    if (wakesNow) {
      wake();
    }
  }

  private void wake() {
    gate.wake();
    Runnable again = onRoom.getAndSet(null);
    if (again != null) {
      again.run();
    }
  }

  private void checkPatience() {
    if (gate.isHigh()) {
      tooSlow.run();
    } else {
      wake();
    }
  }

  private void checkOpen() throws IOException {
    gate.failIfBroken();
    if (closed) {
      throw new ClientDisconnectedException(null);
    }
  }

  private void checkRoom(int size, boolean mayWait) throws IOException {
    if (!mayWait && !gate.admits(size)) {
      throw tooSlow();
    }
  }

  /** Waits until no fragmented message is in progress. Returns false after a timeout. */
  private boolean awaitUnfragmented(boolean mayWait) throws IOException {
    long left = patience.toNanos();
    while (fragmenting != null && !closed && left > 0) {
      if (!mayWait) {
        throw new IllegalStateException(
            "cannot send: a fragmented message is in progress, and this thread must not block");
      }
      try {
        left = unfragmented.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting to send a message", e);
      }
    }
    return fragmenting == null || closed;
  }

  /** Waits until the client has read enough. */
  private void await(boolean mayWait) throws IOException {
    if (mayWait && gate.isHigh()) {
      if (!gate.await(patience)) {
        throw tooSlow();
      }
      gate.failIfBroken();
    }
  }

  private static void doNothing() {} // written data needs no notice

  private IOException tooSlow() {
    tooSlow.run();
    return new IOException("the client reads messages too slowly");
  }
}
