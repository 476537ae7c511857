package dev.percolate.parsers;

import java.nio.ByteBuffer;

/** Takes a body that is not compressed. */
record Identity(Bytes out) implements Decoder {

  @Override
  public void add(ByteBuffer piece) {
    out.add(piece);
  }

  @Override
  public void end() {}

  @Override
  public void close() {}
}
