package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Opens files of the file system or the class path. */
sealed interface FileRoot permits Disk, ClassPath {

  /**
   * Returns the attributes of a file or directory.
   *
   * @throws HttpError 404 with the field {@code code} if it does not exist; 500 if it cannot be
   *     read
   */
  BasicFileAttributes attributes(Path file);

  /**
   * Opens a regular file.
   *
   * @param attributes the result of {@link #attributes}
   * @throws HttpError 404, 500
   */
  FileContent open(Path file, BasicFileAttributes attributes);

  /** Creates the error for a file that does not exist. */
  static HttpError absent(String code) {
    return new HttpError(404).with("code", code);
  }

  /** Creates the error for a file that cannot be read. */
  static HttpError unreadable(Exception cause) {
    return new HttpError(500, "the file cannot be read", null, cause);
  }
}
