package dev.percolate.middleware;

import dev.percolate.core.BodyFilter;
import java.nio.ByteBuffer;

/**
 * Lets a body through as it is; an answer without a length then goes out in pieces. Its end waits
 * for something to be done.
 */
final class PassFilter implements BodyFilter {

  private final Runnable atEnd;

  PassFilter(Runnable atEnd) {
    this.atEnd = atEnd;
  }

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
    atEnd.run();
    return last;
  }
}
