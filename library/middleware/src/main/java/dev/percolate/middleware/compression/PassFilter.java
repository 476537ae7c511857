package dev.percolate.middleware.compression;

import dev.percolate.core.BodyFilter;
import java.nio.ByteBuffer;

/**
 * Passes a body on unchanged, so a response without a length is sent in chunks. Runs a task before
 * the end of the body, which waits for it.
 *
 * @param atEnd the task
 */
public record PassFilter(Runnable atEnd) implements BodyFilter {

  @Override
  public ByteBuffer write(ByteBuffer piece) {
    return piece;
  }

  @Override
  public ByteBuffer end(ByteBuffer last) {
    atEnd.run();
    return last;
  }
}
