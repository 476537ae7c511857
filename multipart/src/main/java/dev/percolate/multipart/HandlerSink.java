package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Hands a file on to a reader, as long as that wants it. */
final class HandlerSink implements FileSink {

  private final ChunkReader reader;
  private boolean wanted = true;

  HandlerSink(ChunkReader reader) {
    this.reader = reader;
  }

  @Override
  public void add(ByteBuffer piece) throws Exception {
    wanted = wanted && reader.chunk(piece);
  }

  @Override
  public @Nullable Upload end(@Nullable Throwable failure, long size) {
    reader.done(failure);
    return null;
  }
}
