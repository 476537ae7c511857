package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decompresses with a decoder that needs the whole input.
 *
 * <p>Compressed bytes are collected first. They are decompressed when the body ends, or when there
 * are more of them than a body within the limit needs. So the decoder's memory is allocated only
 * while a thread decompresses, not while a client is slow.
 */
final class BufferedDecoder implements Decoder {

  /** Allowance for incompressible data and metadata, in bytes. */
  private static final int SLACK = 64 << 10;

  private final Whole decoder;
  private final Bytes out;
  private final Bytes compressed;
  private final long most;
  private boolean finished;

  /** Decompresses a whole body. */
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

  /** Returns the maximum compressed size of a body within a limit. */
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

  private void inflate() throws IOException {
    if (compressed.size() == 0) {
      throw new IOException("unexpected end of file");
    }
    decoder.inflate(compressed.toArray(), out);
    finished = true;
  }
}
