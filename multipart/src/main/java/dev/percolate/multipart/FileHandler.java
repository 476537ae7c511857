package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Request;

/** Takes the files of forms as they come. */
@FunctionalInterface
public interface FileHandler {

  /**
   * Begins to take a file.
   *
   * @param req the request; its body is not set yet
   * @param part what is known of the file
   * @return takes the file's bytes, each piece only until it returns. When it wants no more the
   *     rest of the file is skipped. Its {@code done} is called once: with null behind the file's
   *     end, otherwise with what went wrong, a file beyond a limit or a hang-up among them
   * @throws Exception refuses the request
   */
  ChunkReader begin(Request req, FilePart part) throws Exception;
}
