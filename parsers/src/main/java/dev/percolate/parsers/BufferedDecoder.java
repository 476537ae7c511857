package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Inflates by a decoder that pulls its input.
 *
 * <p>The compressed bytes are collected first, and inflated when the body ends, or when more of
 * them have come than a body within the limit needs. So what the decoder allocates is held only
 * while a thread inflates, not while a client is slow.
 */
final class BufferedDecoder implements Decoder {

  /** Room for data that does not compress, and for metadata. */
  private static final int SLACK = 64 << 10;

  private final Whole decoder;
  private final Bytes out;
  private final Bytes compressed;
  private final long most;
  private boolean finished;

  /** Inflates a whole body. */
  @FunctionalInterface
  interface Whole {
    void inflate(byte[] compressed, Bytes out) throws IOException;
  }

  BufferedDecoder(Whole decoder, Bytes out) {
    this.decoder = decoder;
    this.out = out;
    this.compressed = new Bytes(Long.MAX_VALUE, -1, out.kept());
    this.most = most(out.limit());
  }

  /** Returns the most bytes that the compressed form of a body within a limit needs. */
  static long most(long limit) {
    long bytes = Math.max(0, Math.min(limit, Integer.MAX_VALUE));
    return bytes + bytes / 64 + SLACK;
  }

  @Override
  public void add(ByteBuffer piece) {
    if (finished) {
      return;
    }
    compressed.add(piece);
    if (compressed.size() > most) {
      try {
        inflate();
      } catch (IOException e) {
        throw BodyErrors.tooLarge(out.limit()).with("received", (long) compressed.size());
      }
    }
  }

  @Override
  public void end() {
    if (!finished) {
      try {
        inflate();
      } catch (IOException e) {
        throw BodyErrors.undecodable(e.getMessage(), e);
      }
    }
  }

  @Override
  public void close() {}

  private void inflate() throws IOException {
    if (compressed.size() == 0) {
      throw new IOException("unexpected end of file");
    }
    decoder.inflate(compressed.toArray(), out);
    finished = true;
  }
}
