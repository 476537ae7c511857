package dev.percolate.parsers;

import java.nio.ByteBuffer;

/** Inflates the zlib format (RFC 1950); what follows the data is ignored. */
final class Deflate implements Decoder {

  private final DeflateStream stream;

  Deflate(Bytes out) {
    stream = new DeflateStream(false, out);
  }

  @Override
  public void add(ByteBuffer piece) {
    if (!stream.finished()) {
      stream.add(piece);
    }
  }

  @Override
  public void end() {
    if (!stream.finished()) {
      throw Failure.inflating("unexpected end of file", null);
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
