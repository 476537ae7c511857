package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Request;

/** Receives the files of a form as streams. */
@FunctionalInterface
public interface FileHandler {

  /**
   * Called at the start of a file. Returns the reader of its content, whose chunks are valid only
   * during the call. If the reader wants no more, the rest of the file is skipped. Its {@code done}
   * is called once: with null after the end of the file, otherwise with the error, such as an
   * exceeded limit or a disconnected client.
   *
   * @param req the request; its body is not set yet
   * @param part the name and type of the file
   * @return reads the content of the file
   * @throws Exception to reject the request
   */
  ChunkReader open(Request req, FilePart part) throws Exception;
}
