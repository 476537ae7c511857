package dev.percolate.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Writes short answers that are whole from the thread that gives them: that neither wakes the loop
 * nor waits for it. Each has {@value #SIZE} bytes of memory beside the heap.
 */
final class DirectWriter {

  private static final int SIZE = 32 << 10;

  private final HeadWriter head = new HeadWriter();
  private final ByteBuffer piece = ByteBuffer.allocateDirect(SIZE);

  /** The writers of one server; as many as threads can be writing, and some more. */
  static final class Pool {

    private final AtomicReferenceArray<@Nullable DirectWriter> free;
    private final AtomicInteger created = new AtomicInteger();

    Pool(int processors) {
      free = new AtomicReferenceArray<>(2 * processors + 2);
    }

    /** Takes a writer, to be given back; null if all are in use. */
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

    /** Creates a writer; returns null if there is no memory for it. The loop then writes. */
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

  /** Tells whether a body fits behind the head that has been written. */
  boolean fits(int body) {
    return head.size() + body <= SIZE;
  }

  /**
   * Writes the head and a body that fits.
   *
   * @return what the kernel did not take; null if it took all
   * @throws IOException if the client has gone
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
