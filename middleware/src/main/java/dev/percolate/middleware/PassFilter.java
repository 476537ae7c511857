package dev.percolate.middleware;

import dev.percolate.core.BodyFilter;
import java.nio.ByteBuffer;

/** Lets a body through as it is; an answer without a length then goes out in pieces. */
final class PassFilter implements BodyFilter {

  static final PassFilter INSTANCE = new PassFilter();

  private PassFilter() {}

  @Override
  public ByteBuffer write(ByteBuffer piece) {
    return piece;
  }

  @Override
  public ByteBuffer flush(ByteBuffer piece) {
    return piece;
  }

  @Override
  public ByteBuffer end(ByteBuffer last) {
    return last;
  }
}
