package dev.percolate.openapi;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import java.util.List;

/**
 * Reads forms with files through {@code percolate-multipart}, which may be missing. No other class
 * refers to its classes.
 */
final class FileForms {

  private FileForms() {}

  static Middleware parser(String limit) {
    return Multipart.files().limit(limit);
  }

  /** Returns the files that were sent in a field. */
  static List<?> find(Request req, String name) {
    List<Upload> files = req.attrOrNull(Multipart.FILES);
    return files == null
        ? List.of()
        : files.stream().filter(file -> file.field().equals(name)).toList();
  }

  /**
   * Checks that forms with files can be read.
   *
   * @param option the call that needs it, for the message
   * @throws IllegalStateException if {@code percolate-multipart} is missing
   */
  static void check(String option) {
    try {
      Class.forName("dev.percolate.multipart.Multipart", false, FileForms.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(option + ": add percolate-multipart to read files", e);
    }
  }
}
