package dev.percolate.reliability;

import dev.percolate.core.ChunkReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Discards a file. */
enum DiscardingReader implements ChunkReader {
  FILE;

  @Override
  public boolean chunk(ByteBuffer bytes) {
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {}
}
