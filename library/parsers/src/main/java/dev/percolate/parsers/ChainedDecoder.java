package dev.percolate.parsers;

import java.nio.ByteBuffer;

/**
 * Decodes two content codings, one after the other.
 *
 * @param first decodes the coding that was applied last
 * @param between collects its output, up to a limit
 * @param second decodes the other codings
 */
record ChainedDecoder(Decoder first, Bytes between, Decoder second) implements Decoder {

  @Override
  public void add(ByteBuffer piece) {
    first.add(piece);
  }

  @Override
  public void end() {
    first.end();
    second.add(ByteBuffer.wrap(between.toArray()));
    second.end();
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  @Override
  public long workSpace() {
    return first.workSpace() + second.workSpace();
  }
}
