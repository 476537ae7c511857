package dev.percolate.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a body as a stream of bytes that waits for the client. */
final class BodyStream extends InputStream {

  private final Body body;
  private @Nullable ByteBuffer chunk = ByteBuffer.allocate(0);

  BodyStream(Body body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    ByteBuffer bytes = filled();
    return bytes == null ? -1 : bytes.get() & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    ByteBuffer bytes = filled();
    if (bytes == null) {
      return -1;
    }
    int count = Math.min(length, bytes.remaining());
    bytes.get(target, offset, count);
    return count;
  }

  /** Passes on piece by piece what is left, so that memory is taken for one piece only. */
  @Override
  public long transferTo(OutputStream out) throws IOException {
    long passed = 0;
    for (ByteBuffer bytes = filled(); bytes != null; bytes = filled()) {
      byte[] piece = new byte[bytes.remaining()];
      bytes.get(piece);
      out.write(piece);
      body.passedOn(piece.length);
      passed += piece.length;
    }
    return passed;
  }

  @Override
  public int available() {
    return chunk == null ? 0 : chunk.remaining();
  }

  private @Nullable ByteBuffer filled() throws IOException {
    while (chunk != null && !chunk.hasRemaining()) {
      ByteBuffer read = next();
      body.count(read);
      chunk = read;
    }
    return chunk;
  }

  private @Nullable ByteBuffer next() throws IOException {
    try {
      return body.await();
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }
}
