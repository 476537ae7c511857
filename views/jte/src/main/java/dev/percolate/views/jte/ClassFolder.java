package dev.percolate.views.jte;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Creates directories for compiled templates, which only the user of the process can access. */
final class ClassFolder {

  private ClassFolder() {}

  /** Creates a directory that is deleted when the process ends. */
  static Path make() {
    try {
      Path folder = Files.createTempDirectory("percolate-jte-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(folder)) {
      List<Path> children = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : children) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
