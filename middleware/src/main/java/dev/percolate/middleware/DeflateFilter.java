package dev.percolate.middleware;

import dev.percolate.core.BodyFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses the body of one answer, as gzip (RFC 1952) or in the format of zlib (RFC 1950).
 *
 * <p>The compressor holds native memory; it is given back at the end of the body, or of the
 * exchange if that comes first. The lock is for the latter, which may come from another thread.
 */
final class DeflateFilter implements BodyFilter {

  private static final int PIECE = 8 << 10;

  /** Magic, method 8, no flags, no time, no hints, unknown system. */
  private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private final Deflater deflater;
  private final boolean gzip;
  private final CRC32 checksum = new CRC32();
  private long length;
  private boolean begun;
  private boolean pending;
  private boolean closed;

  DeflateFilter(boolean gzip, int level) {
    this.gzip = gzip;
    this.deflater = new Deflater(level, gzip);
  }

  @Override
  public synchronized ByteBuffer write(ByteBuffer piece) throws IOException {
    return deflate(piece, Deflater.NO_FLUSH);
  }

  @Override
  public synchronized ByteBuffer flush(ByteBuffer piece) throws IOException {
    boolean useless = begun && !pending && !piece.hasRemaining();
    ByteBuffer flushed = useless ? piece : deflate(piece, Deflater.SYNC_FLUSH);
    pending = false;
    return flushed;
  }

  @Override
  public synchronized ByteBuffer end(ByteBuffer last) throws IOException {
    deflater.finish();
    ByteBuffer end = deflate(last, Deflater.NO_FLUSH);
    close();
    return end;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      deflater.end();
    }
  }

  private ByteBuffer deflate(ByteBuffer piece, int flush) throws IOException {
    if (closed) {
      throw new IOException("the answer is over");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(PIECE);
    if (gzip && !begun) {
      out.writeBytes(GZIP_HEADER);
    }
    begun = true;
    pending |= piece.hasRemaining();
    length += piece.remaining();
    checksum.update(piece.duplicate());
    deflater.setInput(piece.duplicate());
    byte[] buffer = new byte[PIECE];
    int count = deflater.deflate(buffer, 0, PIECE, flush);
    while (count > 0) {
      out.write(buffer, 0, count);
      // A full buffer may have left something behind; one that is not full has not.
      count = count < PIECE ? 0 : deflater.deflate(buffer, 0, PIECE, flush);
    }
    if (gzip && deflater.finished()) {
      out.writeBytes(trailer());
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  private byte[] trailer() {
    return ByteBuffer.allocate(8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum.getValue())
        .putInt((int) length)
        .array();
  }
}
