package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds a regular file that is there, open for reading.
 *
 * @param path where it is, absolute; where one beside it is sent instead, still the plain file
 * @param attributes what was known of it before it was opened. The other way round, a file replaced
 *     in between would send old content under the new tag, to be kept for ever
 * @param content its content; the one who holds it closes it
 * @param coding the content coding, if it is a compressed one
 */
record FoundFile(
    Path path, BasicFileAttributes attributes, FileContent content, @Nullable String coding)
    implements AutoCloseable {

  /**
   * Finds and opens the file that a path means: an index file where it ends with a slash, itself,
   * or one with an extension added.
   *
   * @param compressed extensions of compressed files that may be opened instead, the best first
   * @return the file; null where there is a directory
   * @throws HttpError 404 if there is none, with the field {@code code} where the file system says
   *     why; 500 if it cannot be read
   */
  static @Nullable FoundFile find(FilePath path, FileOptions options, List<String> compressed) {
    FileRoot source = options.source();
    if (path.folder() && !options.index.isEmpty()) {
      List<Path> all = options.index.stream().map(path.file()::resolve).toList();
      return first(all, source, compressed, new HttpError(404));
    }
    BasicFileAttributes attributes;
    try {
      attributes = source.attributes(path.file());
    } catch (HttpError e) {
      return source instanceof ClassPath && hasIndex(path, options, source)
          ? null // a jar need not list its folders
          : withExtension(path, options, source, compressed, e);
    }
    if (attributes.isDirectory()) {
      return null;
    }
    if (path.slash()) {
      throw FileRoot.absent("ENOTDIR");
    }
    return open(path.file(), attributes, source, compressed);
  }

  long size() {
    return content.size();
  }

  @Override
  public void close() {
    content.close();
  }

  private static boolean hasIndex(FilePath path, FileOptions options, FileRoot source) {
    for (String name : options.index) {
      try {
        if (source.attributes(path.file().resolve(name)).isRegularFile()) {
          return true;
        }
      } catch (HttpError e) {
        // then it is not this one
      }
    }
    return false;
  }

  private static FoundFile withExtension(
      FilePath path,
      FileOptions options,
      FileRoot source,
      List<String> compressed,
      HttpError first) {
    boolean extensible = "ENOENT".equals(first.field("code"));
    // What is beside the root lies outside of it.
    if (!extensible || !path.named() || path.slash() || path.hasExtension()) {
      throw first;
    }
    List<Path> all = options.extensions.stream().map(path::with).toList();
    return first(all, source, compressed, first);
  }

  /** Opens the first of some files that is there and no directory. */
  private static FoundFile first(
      List<Path> files, FileRoot source, List<String> compressed, HttpError none) {
    HttpError last = none;
    for (Path file : files) {
      BasicFileAttributes attributes;
      try {
        attributes = source.attributes(file);
      } catch (HttpError e) {
        last = e;
        continue;
      }
      if (!attributes.isDirectory()) {
        return open(file, attributes, source, compressed);
      }
      last = new HttpError(404);
    }
    throw last;
  }

  /** Opens what is a file: a pipe would block, and a device has no end. */
  private static FoundFile open(
      Path file, BasicFileAttributes attributes, FileRoot source, List<String> compressed) {
    if (!attributes.isRegularFile()) {
      throw new HttpError(404);
    }
    for (String extension : compressed) {
      Path sibling = file.resolveSibling(file.getFileName() + "." + extension);
      try {
        BasicFileAttributes found = source.attributes(sibling);
        if (found.isRegularFile()) {
          FileContent content = source.open(sibling, found);
          return new FoundFile(file, found, content, FileOptions.coding(extension));
        }
      } catch (HttpError e) {
        // then it is not this one: the plain file is there
      }
    }
    return new FoundFile(file, attributes, source.open(file, attributes), null);
  }
}
