package dev.percolate.core;

import dev.percolate.engine.Exchange;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Serializes the chunks of a response from several threads, with backpressure. */
final class ResponseChunks {

  private final ReentrantLock lock = new ReentrantLock();
  private final WriteGate gate;

  ResponseChunks(Exchange exchange) {
    this.gate = new WriteGate(exchange::await);
  }

  WriteGate gate() {
    return gate;
  }

  /** Waits until no other thread passes a chunk to the engine. */
  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Returns a notice that calls a callback only after {@link #unlock}. */
  DeferredCallback notice(Exchange.OnWritten callback) {
    return new DeferredCallback(callback);
  }

  /**
   * Rejects a chunk from a thread that must not block if the client is slow.
   *
   * @throws IOException if too many bytes would be unwritten
   */
  void checkRoom(int size) throws IOException {
    if (!gate.admits(size)) {
      throw new IOException(
          "client reads too slowly: "
              + gate.unwritten()
              + " bytes are unsent; the thread must not block");
    }
  }

  /** Records that a chunk was sent or cannot be sent. */
  void written(int size, @Nullable Throwable failure) {
    if (gate.written(size, failure)) {
      gate.wake();
    }
  }

  /**
   * Defers a write callback until the lock is free, because the callback may wait for threads that
   * wait for the lock.
   */
  final class DeferredCallback implements Exchange.OnWritten {

    private final Exchange.OnWritten callback;

    // Used only by the thread that holds the lock.
    private boolean held;
    private @Nullable Throwable failure;

    private DeferredCallback(Exchange.OnWritten callback) {
      this.callback = callback;
    }

    @Override
    public void written(@Nullable Throwable cause) {
      if (lock.isHeldByCurrentThread()) {
        held = true;
        failure = cause;
      } else {
        callback.written(cause);
      }
    }

    /** Calls the callback if it was deferred while the calling thread held the lock. */
    void release() {
      if (held) {
        callback.written(failure);
      }
    }
  }
}
