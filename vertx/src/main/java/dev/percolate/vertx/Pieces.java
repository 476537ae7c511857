package dev.percolate.vertx;

import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Sends the body of an answer over HTTP/2 in pieces, each when the one before has gone out: the
 * engine counts what it was given, so that only pieces tell whether a client takes any of it. It
 * cannot hand files to the kernel there either. On the loop only.
 */
final class Pieces {

  /** Whoever takes as much within the time for writing, however slowly, is not cut off. */
  private static final int SIZE = 16 << 10;

  private final HttpServerResponse response;
  private final Queue<Part> parts = new ArrayDeque<>(1);
  private boolean waits;

  /** What is left of something that is to be sent. */
  interface Source {

    long left();

    /** Takes the next bytes, some of them or all that are left. */
    ByteBuffer next(int most) throws IOException;
  }

  private record Part(Source source, boolean last, Promise<Void> sent) {}

  Pieces(HttpServerResponse response) {
    this.response = response;
  }

  /** Sends something behind what was sent before; the last ends the answer. */
  Future<Void> send(Source source, boolean last) {
    Part part = new Part(source, last, Promise.promise());
    parts.add(part);
    if (!waits) {
      sendOn();
    }
    return part.sent.future();
  }

  /** Takes pieces from a buffer. */
  static Source of(ByteBuffer bytes) {
    ByteBuffer rest = bytes.duplicate();
    return new Source() {
      @Override
      public long left() {
        return rest.remaining();
      }

      @Override
      public ByteBuffer next(int most) {
        ByteBuffer piece = rest.slice().limit(Math.min(most, rest.remaining()));
        rest.position(rest.position() + piece.remaining());
        return piece;
      }
    };
  }

  /** Takes pieces from a part of a file. */
  static Source of(FileChannel file, long offset, long length) {
    long end = offset + length;
    return new Source() {
      private long position = offset;

      @Override
      public long left() {
        return end - position;
      }

      @Override
      public ByteBuffer next(int most) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(most, left()));
        while (piece.hasRemaining()) {
          int count = file.read(piece, position);
          if (count < 0) {
            throw new EOFException("the file has become shorter by " + left() + " bytes");
          }
          position += count;
        }
        return piece.flip();
      }
    };
  }

  private void sendOn() {
    while (!waits && !parts.isEmpty()) {
      Part part = parts.element();
      Future<Void> written = piece(part);
      if (written.succeeded()) {
        sent(part);
      } else {
        waits = true;
        written.onSuccess(nothing -> goOn(part)).onFailure(this::fail);
      }
    }
  }

  private Future<Void> piece(Part part) {
    try {
      ByteBuffer bytes = part.source.next(SIZE);
      Buffer piece = BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
      boolean ends = part.last && part.source.left() == 0;
      return ends ? response.end(piece) : response.write(piece);
    } catch (IOException | RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void goOn(Part part) {
    waits = false;
    sent(part);
    sendOn();
  }

  private void sent(Part part) {
    if (part.source.left() == 0) {
      parts.remove();
      part.sent.complete();
    }
  }

  /** Sends nothing any more: what lies behind a gap is no answer. */
  private void fail(Throwable cause) {
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      part.sent.fail(cause);
    }
  }
}
