package dev.percolate.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Writes short complete responses from the thread that sends them, without the event loop. Each
 * writer has a direct buffer of {@value #SIZE} bytes.
 */
final class DirectWriter {

  private static final int SIZE = 32 << 10;

  private final HeadWriter head = new HeadWriter();
  private final ByteBuffer piece = ByteBuffer.allocateDirect(SIZE);

  /** The writers of a server: two per processor and two more. */
  static final class Pool {

    private final AtomicReferenceArray<@Nullable DirectWriter> free;
    private final AtomicInteger created = new AtomicInteger();

    Pool(int processors) {
      free = new AtomicReferenceArray<>(2 * processors + 2);
    }

    /** Takes a writer, which must be returned; null if all are in use. */
    @Nullable DirectWriter take() {
      for (int i = 0; i < free.length(); i++) {
        if (free.getPlain(i) != null) {
          DirectWriter taken = free.getAndSet(i, null);
          if (taken != null) {
            return taken;
          }
        }
      }
      if (created.get() < free.length() && created.getAndIncrement() < free.length()) {
        return create();
      }
      return null;
    }

    /** Creates a writer. Returns null if there is not enough memory; then the loop writes. */
    private @Nullable DirectWriter create() {
      try {
        return new DirectWriter();
      } catch (OutOfMemoryError e) {
        created.decrementAndGet();
        return null;
      }
    }

    void give(DirectWriter writer) {
      for (int i = 0; i < free.length(); i++) {
        if (free.getPlain(i) == null && free.compareAndSet(i, null, writer)) {
          return;
        }
      }
    }
  }

  HeadWriter head() {
    return head;
  }

  /** Returns true if the body fits in the buffer after the head. */
  boolean fits(int body) {
    return head.size() + body <= SIZE;
  }

  /**
   * Writes the head and a body that fits.
   *
   * @return the bytes that the system did not accept; null if it accepted all
   * @throws IOException if the client has disconnected
   */
  byte @Nullable [] write(SocketChannel channel, ByteBuffer body) throws IOException {
    piece.clear().put(head.bytes(), 0, head.size()).put(body.duplicate()).flip();
    int ignored = channel.write(piece);
    if (!piece.hasRemaining()) {
      return null;
    }
    byte[] rest = new byte[piece.remaining()];
    piece.get(rest);
    return rest;
  }
}
