package dev.percolate.multipart;

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
}
