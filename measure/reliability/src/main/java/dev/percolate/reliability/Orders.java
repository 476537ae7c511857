package dev.percolate.reliability;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Stores orders in a folder that several servers share, each in a file named by its key, so an
 * order that is repeated after its server was killed is stored once.
 *
 * <p>In addition, {@code begun-N} has a line with key and milliseconds for each time that server N
 * began an order, and {@code done-N} the key of each that it completed.
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
      // The server that completed it was killed before it could respond.
    }
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
