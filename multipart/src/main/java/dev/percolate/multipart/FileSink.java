package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Takes the bytes of one file. */
interface FileSink {

  /** Takes the next piece, only until it returns. */
  void add(ByteBuffer piece) throws Exception;

  /**
   * Takes note of the end; called once.
   *
   * @param failure why the file is not complete; null if it is
   * @param size how many bytes came
   * @return the file if it is kept, else null
   */
  @Nullable Upload end(@Nullable Throwable failure, long size) throws Exception;

  /** Returns what hands a file on to a reader, as long as that wants it. */
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
