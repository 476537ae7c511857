package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Opens files: those of the file system, or those of the class path. */
sealed interface FileRoot permits Disk, ClassPath {

  /**
   * Tells of a file or directory.
   *
   * @throws HttpError 404 if there is none, with the field {@code code}; 500 if nobody can tell
   */
  BasicFileAttributes attributes(Path file);

  /**
   * Opens a regular file.
   *
   * @param attributes what {@link #attributes} has returned
   * @throws HttpError 404, 500
   */
  FileContent open(Path file, BasicFileAttributes attributes);

  /** Creates the error for a file that is not there. */
  static HttpError absent(String code) {
    return new HttpError(404).with("code", code);
  }

  /** Creates the error for a file that cannot be read. */
  static HttpError unreadable(Exception cause) {
    return new HttpError(500, "the file cannot be read", null, cause);
  }
}
