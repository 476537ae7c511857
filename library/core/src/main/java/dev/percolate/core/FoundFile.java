package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A regular file, open for reading.
 *
 * @param path the absolute path of the original file, even if a compressed file is sent
 * @param attributes the attributes, read before the file was opened. Otherwise, if the file were
 *     replaced in between, clients would cache old content under the new tag
 * @param content the content; the code that holds it closes it
 * @param coding the content coding of a compressed file; null for the original file
 */
record FoundFile(
    Path path, BasicFileAttributes attributes, FileContent content, @Nullable String coding)
    implements AutoCloseable {

  /** Opens a file. */
  private FoundFile(Path path, FileRoot.Entry entry, @Nullable String coding) {
    this(path, entry.attributes(), entry.content().get(), coding);
  }

  /**
   * Finds and opens the file that a path refers to: an index file if the path ends with a slash,
   * the file itself, or the file with an extension added.
   *
   * @param compressed the extensions of compressed files that may be opened instead, the best first
   * @return the file; null for a directory
   * @throws HttpError 404 if there is no such file, with the field {@code code} if the file system
   *     gives a reason; 500 if the file cannot be read
   */
  static @Nullable FoundFile find(FilePath path, FileOptions options, List<String> compressed) {
    FileRoot source = options.source();
    if (path.folder() && !options.index.isEmpty()) {
      List<Path> all = options.index.stream().map(path.file()::resolve).toList();
      return first(all, source, compressed, new HttpError(404));
    }
    FileRoot.Entry entry;
    try {
      entry = source.find(path.file());
    } catch (HttpError e) {
      if (source instanceof ClassPath && hasIndex(path, options, source)) {
        return null; // jars may have no entries for folders
      }
      // A file beside the root is outside of it.
      boolean extensible = path.named() && !path.slash() && !path.hasExtension();
      if (!extensible || !"ENOENT".equals(e.field("code"))) {
        throw e;
      }
      List<Path> all = options.extensions.stream().map(path::with).toList();
      return first(all, source, compressed, e);
    }
    if (entry.attributes().isDirectory()) {
      return null;
    }
    if (path.slash()) {
      throw FileRoot.absent("ENOTDIR");
    }
    return open(path.file(), entry, source, compressed);
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
        if (source.find(path.file().resolve(name)).attributes().isRegularFile()) {
          return true;
        }
      } catch (HttpError e) {
        // try the next name
      }
    }
    return false;
  }

  /** Opens the first file that exists and is not a directory. */
  private static FoundFile first(
      List<Path> files, FileRoot source, List<String> compressed, HttpError none) {
    HttpError last = none;
    for (Path file : files) {
      FileRoot.Entry entry;
      try {
        entry = source.find(file);
      } catch (HttpError e) {
        last = e;
        continue;
      }
      if (!entry.attributes().isDirectory()) {
        return open(file, entry, source, compressed);
      }
      last = new HttpError(404);
    }
    throw last;
  }

  /** Opens a regular file. A pipe would block, and a device has no end. */
  private static FoundFile open(
      Path file, FileRoot.Entry entry, FileRoot source, List<String> compressed) {
    if (!entry.attributes().isRegularFile()) {
      throw new HttpError(404);
    }
    for (String extension : compressed) {
      Path sibling = file.resolveSibling(file.getFileName() + "." + extension);
      try {
        FileRoot.Entry found = source.find(sibling);
        if (found.attributes().isRegularFile()) {
          return new FoundFile(file, found, FileOptions.coding(extension));
        }
      } catch (HttpError e) {
        // try the next extension, then the original file
      }
    }
    return new FoundFile(file, entry, null);
  }
}
