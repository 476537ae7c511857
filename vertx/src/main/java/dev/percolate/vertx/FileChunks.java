package dev.percolate.vertx;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes a part of a file piece by piece, each when the one before has gone out: on HTTP/2, where
 * the engine cannot hand files to the kernel.
 */
final class FileChunks {

  private static final int SIZE = 64 << 10;

  private final FileChannel file;
  private final Function<ByteBuffer, Future<Void>> write;
  private final Supplier<Future<Void>> end;
  private final Promise<Void> done = Promise.promise();
  private long position;
  private long left;

  private FileChunks(
      FileChannel file,
      long offset,
      long length,
      Function<ByteBuffer, Future<Void>> write,
      Supplier<Future<Void>> end) {
    this.file = file;
    this.write = write;
    this.end = end;
    this.position = offset;
    this.left = length;
  }

  /** Ends an answer by a part of a file; on the loop. */
  static Future<Void> send(
      FileChannel file,
      long offset,
      long length,
      Function<ByteBuffer, Future<Void>> write,
      Supplier<Future<Void>> end) {
    FileChunks chunks = new FileChunks(file, offset, length, write, end);
    chunks.next();
    return chunks.done.future();
  }

  private void next() {
    try {
      while (left > 0) {
        Future<Void> written = write.apply(read());
        if (!written.succeeded()) {
          written.onSuccess(gone -> next()).onFailure(done::fail);
          return;
        }
      }
      end.get().onComplete(done);
    } catch (IOException | RuntimeException e) {
      done.fail(e);
    }
  }

  private ByteBuffer read() throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(SIZE, left));
    while (bytes.hasRemaining()) {
      int count = file.read(bytes, position);
      if (count < 0) {
        throw new EOFException("the file has become shorter by " + left + " bytes");
      }
      position += count;
      left -= count;
    }
    return bytes.flip();
  }
}
