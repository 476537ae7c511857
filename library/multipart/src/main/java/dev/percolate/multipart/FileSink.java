package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Receives the bytes of one file. */
interface FileSink {

  /** Receives the next chunk, which is valid only during the call. */
  void add(ByteBuffer piece) throws Exception;

  /**
   * Ends the file. Called once.
   *
   * @param failure why the file is incomplete; null if it is complete
   * @param size the number of bytes received
   * @return the file if it is stored, else null
   */
  @Nullable Upload end(@Nullable Throwable failure, long size) throws Exception;

  /** Returns a sink that passes a file to a reader, until the reader wants no more. */
  static FileSink of(ChunkReader reader) {
    return new FileSink() {

      private boolean wanted = true;

      @Override
      public void add(ByteBuffer piece) throws Exception {
        wanted = wanted && reader.chunk(piece);
      }

      @Override
      public @Nullable Upload end(@Nullable Throwable failure, long size) {
        reader.done(failure);
        return null;
      }
    };
  }
}
