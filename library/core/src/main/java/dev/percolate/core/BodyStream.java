package dev.percolate.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body as a blocking input stream.
 *
 * <p>Only the current chunk uses memory. {@link #readAllBytes}, and {@link #readNBytes(int)} for
 * more than 64 KiB, buffer the bytes and therefore first wait for {@link
 * dev.percolate.engine.BodyMemory}.
 */
final class BodyStream extends InputStream {

  /** The maximum number of bytes to buffer without a reservation. */
  private static final int LITTLE = 64 << 10;

  /**
   * The maximum ratio of allocated bytes to received bytes, because a client may announce much and
   * send little.
   */
  private static final int TRUST = 8;

  private static final int GREATEST = Integer.MAX_VALUE - 8;

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

  @Override
  public byte[] readAllBytes() throws IOException {
    return collect(Long.MAX_VALUE);
  }

  @Override
  public byte[] readNBytes(int length) throws IOException {
    return length <= LITTLE ? super.readNBytes(length) : collect(length);
  }

  private byte[] collect(long wanted) throws IOException {
    int have = available();
    long left = wanted > have ? body.collects(wanted - have) : 0;
    try {
      return collect(wanted, have, left);
    } finally {
      body.streamsOn();
    }
  }

  private byte[] collect(long wanted, int have, long left) throws IOException {
    byte[] bytes = new byte[0];
    int size = 0;
    for (ByteBuffer piece = next(size, wanted); piece != null; piece = next(size, wanted)) {
      int count = (int) Math.min(piece.remaining(), wanted - size);
      if (count > bytes.length - size) {
        long needed = (long) size + count;
        if (needed > GREATEST) {
          throw new OutOfMemoryError("body exceeds 2 GB, the maximum size of an array");
        }
        long most = left < 0 ? wanted : Math.max(needed, Math.min(wanted, have + left));
        long capacity = Math.min(left < 0 ? 2 * needed : TRUST * needed, most);
        bytes = Arrays.copyOf(bytes, (int) Math.min(capacity, GREATEST));
      }
      piece.get(bytes, size, count);
      size += count;
    }
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private @Nullable ByteBuffer next(int size, long wanted) throws IOException {
    return size < wanted ? filled() : null;
  }

  /** Writes the rest chunk by chunk, without copying chunks that have an array. */
  @Override
  public long transferTo(OutputStream out) throws IOException {
    long passed = 0;
    for (ByteBuffer bytes = filled(); bytes != null; bytes = filled()) {
      int count = bytes.remaining();
      if (bytes.hasArray()) {
        int from = bytes.arrayOffset() + bytes.position();
        bytes.position(bytes.limit());
        out.write(bytes.array(), from, count);
      } else {
        byte[] piece = new byte[count];
        bytes.get(piece);
        out.write(piece);
      }
      passed += count;
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
