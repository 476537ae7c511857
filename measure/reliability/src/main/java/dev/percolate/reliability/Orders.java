package dev.percolate.reliability;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps orders in a folder that several servers share, each in a file named by its key: so that one
 * that is done again, as its server was killed, is there once.
 *
 * <p>Beside them, {@code begun-N} has a line of key and milliseconds for each time that server N
 * began one, {@code done-N} the key of each that it did.
 */
final class Orders {

  private final Path folder;
  private final Path begun;
  private final Path done;

  Orders(Path folder, int server) {
    this.folder = folder;
    this.begun = folder.resolve("begun-" + server);
    this.done = folder.resolve("done-" + server);
  }

  void add(String key) throws IOException {
    append(begun, key + " " + System.currentTimeMillis());
    try {
      Path ignored = Files.createFile(folder.resolve("order-" + key));
      append(done, key);
    } catch (FileAlreadyExistsException e) {
      // The server that did it has not lived to say so.
    }
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
