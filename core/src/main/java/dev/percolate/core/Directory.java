package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows a directory that the path of a request names, to those who list it.
 *
 * <p>It is found by the same rules as files are: below the root, hidden names and symbolic links as
 * the options say. What would not be found through it is not shown either.
 */
public final class Directory {

  private final Path path;
  private final boolean named;
  private final Disk disk;
  private final FileOptions options;

  private Directory(FilePath place, Disk disk, FileOptions options) {
    this.path = place.file();
    this.named = place.named();
    this.disk = disk;
    this.options = options;
  }

  /**
   * Finds the directory that the path of a request names.
   *
   * @param req the request
   * @param options where it is looked for: below a root of the file system
   * @return the directory; null if there is none, or if it is hidden
   * @throws HttpError 400 for a path that cannot be decoded, or that can mean two things; 403 for
   *     one that leads out of the root; 500 if nobody can tell what is there
   * @throws IllegalArgumentException if the options have no such root
   */
  public static @Nullable Directory find(Request req, FileOptions options) {
    if (options.root() == null || !(options.source() instanceof Disk disk)) {
      throw new IllegalArgumentException("find(…): the options have no root of the file system");
    }
    FileOptions here = options.under(req.settings());
    try {
      FilePath place = FilePath.decode(req.path() + "/", here, req.normalised());
      return disk.attributes(place.file()).isDirectory() ? new Directory(place, disk, here) : null;
    } catch (HttpError e) {
      if (e.status() == 404) {
        return null;
      }
      throw e;
    }
  }

  /** Returns where it is, absolute. */
  public Path path() {
    return path;
  }

  /** Tells whether it is the root itself. */
  public boolean isRoot() {
    return !named;
  }

  /**
   * Lists the names in it, in no order.
   *
   * @throws IOException if it cannot be read
   */
  public List<String> names() throws IOException {
    List<String> names = disk.names(path);
    names.removeIf(name -> FilePath.isHidden(name, options));
    return names;
  }

  /**
   * Tells of an entry.
   *
   * @param name its name
   * @return what is known of it, links followed; null if nothing is
   */
  public @Nullable BasicFileAttributes attributes(String name) {
    try {
      return disk.attributes(path.resolve(name));
    } catch (HttpError e) {
      return null; // gone meanwhile, or a link to nowhere
    }
  }
}
