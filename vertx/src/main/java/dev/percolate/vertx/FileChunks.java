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

/**
 * Writes a part of a file piece by piece, each when the one before has gone out: on HTTP/2, where
 * the engine cannot hand files to the kernel.
 */
final class FileChunks {

  private static final int SIZE = 64 << 10;

  private final FileChannel file;
  private final HttpServerResponse response;
  private final Promise<Void> done = Promise.promise();
  private long position;
  private long left;

  private FileChunks(FileChannel file, long offset, long length, HttpServerResponse response) {
    this.file = file;
    this.response = response;
    this.position = offset;
    this.left = length;
  }

  /** Ends a response by a part of a file; on the loop. */
  static Future<Void> send(FileChannel file, long offset, long length, HttpServerResponse to) {
    FileChunks chunks = new FileChunks(file, offset, length, to);
    chunks.next();
    return chunks.done.future();
  }

  private void next() {
    try {
      while (left > 0) {
        Future<Void> written = response.write(read());
        if (!written.succeeded()) {
          written.onSuccess(gone -> next()).onFailure(done::fail);
          return;
        }
      }
      response.end().onComplete(done);
    } catch (IOException | RuntimeException e) {
      done.fail(e);
    }
  }

  private Buffer read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(SIZE, left));
    while (bytes.hasRemaining()) {
      int count = file.read(bytes, position);
      if (count < 0) {
        throw new EOFException("the file has become shorter by " + left + " bytes");
      }
      position += count;
      left -= count;
    }
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes.flip()));
  }
}
