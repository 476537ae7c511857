package dev.percolate.api;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import java.util.List;

/**
 * Reads forms with files by {@code percolate-multipart}, which need not be there: no other class
 * names its classes.
 */
final class FileForms {

  private FileForms() {}

  static Middleware parser(String limit) {
    return Multipart.files().limit(limit);
  }

  /** Tells whether a file of a name was sent. */
  static boolean has(Request req, String name) {
    List<Upload> files = req.attrOrNull(Multipart.FILES);
    return files != null && files.stream().anyMatch(file -> file.field().equals(name));
  }

  /**
   * Makes sure that forms with files can be read.
   *
   * @param option what is asked for, as it was called
   * @throws IllegalStateException if they cannot
   */
  static void check(String option) {
    try {
      Class.forName("dev.percolate.multipart.Multipart", false, FileForms.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(option + ": add percolate-multipart, which reads files", e);
    }
  }
}
