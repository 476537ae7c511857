package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Supplier;

/** Opens files of the file system or the class path. */
sealed interface FileRoot permits Disk, ClassPath {

  /**
   * A file or directory.
   *
   * @param attributes its attributes
   * @param content opens a regular file, or throws an {@link HttpError} 404 or 500
   */
  record Entry(BasicFileAttributes attributes, Supplier<FileContent> content) {}

  /**
   * Finds a file or directory.
   *
   * @throws HttpError 404 with the field {@code code} if it does not exist; 500 if it cannot be
   *     read
   */
  Entry find(Path file);

  /** Creates the error for a file that does not exist. */
  static HttpError absent(String code) {
    return new HttpError(404).with("code", code);
  }

  /** Creates the error for a file that cannot be read. */
  static HttpError unreadable(Exception cause) {
    return new HttpError(500, "the file cannot be read", null, cause);
  }
}
