package dev.percolate.middleware.compression;

import dev.percolate.core.BodyFilter;
import dev.percolate.core.Response;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.ETag;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses the body of one response, as gzip (RFC 1952) or zlib (RFC 1950).
 *
 * <p>The beginning of a body is compressed directly. The rest is compressed in blocks with {@link
 * VirtualThreads#runFairly}, so that long bodies do not delay other requests.
 *
 * <p>The compressor holds native memory. It is released at the end of the body, or earlier at the
 * end of the exchange. The latter may happen on another thread during a block; then the compressing
 * thread releases the memory.
 *
 * <pre>{@code
 * FREE --begin--> BUSY --end--> FREE       a block
 *  |               |
 *  | close         | close
 *  v               v
 * CLOSED <--end-- CLOSING
 * }</pre>
 */
public final class DeflateFilter implements BodyFilter {

  private static final int PIECE = 8 << 10;

  /** The number of bytes to compress at a time, which takes one or two milliseconds. */
  private static final int BLOCK = 32 << 10;

  private static final int FREE = 0;
  private static final int BUSY = 1;
  private static final int CLOSING = 2;
  private static final int CLOSED = 3;

  /** Magic number, method 8, no flags, no time, no hints, unknown system. */
  private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final List<String> OF_PLAIN_BYTES =
      List.of("Accept-Ranges", "Content-Digest", "Content-MD5", "Digest", "Repr-Digest");

  private final Deflater deflater;
  private final boolean gzip;
  private final CRC32 checksum = new CRC32();
  private final AtomicInteger state = new AtomicInteger();
  private long length;
  private boolean begun;
  private boolean pending;

  public DeflateFilter(boolean gzip, int level) {
    this.gzip = gzip;
    this.deflater = new Deflater(level, gzip);
  }

  /**
   * Sets the headers of a compressed response. Its tag becomes weak, since its bytes differ.
   *
   * @param standard whether to remove headers about ranges and digests of the uncompressed bytes
   *     (RFC 9110 section 14.3, RFC 9530); Express keeps them
   */
  public static void describe(Response res, String coding, boolean standard) {
    res.set("Content-Encoding", coding).remove("Content-Length");
    if (standard) {
      OF_PLAIN_BYTES.forEach(res::remove);
    }
    String etag = res.get("ETag");
    if (etag != null) {
      res.set("ETag", ETag.weaken(etag));
    }
  }

  @Override
  public ByteBuffer write(ByteBuffer piece) throws IOException {
    return deflate(piece, Deflater.NO_FLUSH, false);
  }

  @Override
  public ByteBuffer flush(ByteBuffer piece) throws IOException {
    boolean useless = begun && !pending && !piece.hasRemaining();
    ByteBuffer flushed = useless ? piece : deflate(piece, Deflater.SYNC_FLUSH, false);
    pending = false;
    return flushed;
  }

  @Override
  public ByteBuffer end(ByteBuffer last) throws IOException {
    ByteBuffer end = deflate(last, Deflater.NO_FLUSH, true);
    close();
    return end;
  }

  @Override
  public void close() {
    int now = state.get();
    while (now < CLOSING && !state.compareAndSet(now, now == FREE ? CLOSED : CLOSING)) {
      now = state.get();
    }
    if (now == FREE) {
      deflater.end();
    }
  }

  private ByteBuffer deflate(ByteBuffer piece, int flush, boolean last) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(PIECE);
    if (gzip && !begun) {
      out.writeBytes(GZIP_HEADER);
    }
    begun = true;
    pending |= piece.hasRemaining();
    ByteBuffer rest = piece.duplicate();
    while (rest.remaining() > BLOCK) {
      deflateInTurn(rest.slice(rest.position(), BLOCK), Deflater.NO_FLUSH, false, out);
      rest.position(rest.position() + BLOCK);
    }
    if (length + rest.remaining() <= BLOCK) {
      deflateBlock(rest, flush, last, out);
    } else {
      deflateInTurn(rest, flush, last, out);
    }
    failIfOver();
    if (gzip && last) {
      out.writeBytes(trailer());
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  private void deflateInTurn(ByteBuffer block, int flush, boolean last, ByteArrayOutputStream out)
      throws IOException {
    failIfOver();
    VirtualThreads.runFairly(() -> deflateBlock(block, flush, last, out));
  }

  private void failIfOver() throws IOException {
    if (state.get() >= CLOSING) {
      throw new ClientDisconnectedException(null); // or the response has ended
    }
  }

  /** Compresses a block; does nothing if the response has ended. */
  private void deflateBlock(ByteBuffer block, int flush, boolean last, ByteArrayOutputStream out) {
    if (!state.compareAndSet(FREE, BUSY)) {
      return;
    }
    try {
      length += block.remaining();
      checksum.update(block.duplicate());
      deflater.setInput(block);
      if (last) {
        deflater.finish();
      }
      byte[] buffer = new byte[PIECE];
      int count = deflater.deflate(buffer, 0, PIECE, flush);
      while (count > 0) {
        out.write(buffer, 0, count);
        // Only a full buffer means that there may be more output.
        count = count < PIECE ? 0 : deflater.deflate(buffer, 0, PIECE, flush);
      }
    } finally {
      if (!state.compareAndSet(BUSY, FREE)) {
        state.set(CLOSED);
        deflater.end();
      }
    }
  }

  private byte[] trailer() {
    return ByteBuffer.allocate(8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum.getValue())
        .putInt((int) length)
        .array();
  }
}
