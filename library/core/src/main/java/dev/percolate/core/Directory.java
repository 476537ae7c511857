package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory that the path of a request names, for directory listings.
 *
 * <p>The rules for files apply: the directory is inside the root, and the options decide about
 * hidden names and symbolic links. Entries that these rules exclude are not listed.
 */
public final class Directory {

  private final FilePath place;
  private final Disk disk;
  private final FileOptions options;

  private Directory(FilePath place, Disk disk, FileOptions options) {
    this.place = place;
    this.disk = disk;
    this.options = options;
  }

  /**
   * Finds the directory that the path of a request names.
   *
   * @param req the request
   * @param options the options, with a root directory
   * @return the directory; null if it does not exist or is hidden
   * @throws HttpError 400 if the path cannot be decoded or is ambiguous; 403 if it leads out of the
   *     root; 500 if the directory cannot be read
   * @throws IllegalArgumentException if the options have no root directory
   */
  public static @Nullable Directory find(Request req, FileOptions options) {
    if (options.root() == null || !(options.source() instanceof Disk disk)) {
      throw new IllegalArgumentException(
          "Directory.find needs a root directory; set FileOptions.root");
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

  /** Returns the absolute path of the directory. */
  public Path path() {
    return place.file();
  }

  /** Returns true if this is the root directory. */
  public boolean isRoot() {
    return !place.named();
  }

  /**
   * Returns the names of the entries, in no particular order.
   *
   * @throws IOException if the directory cannot be read
   */
  public List<String> names() throws IOException {
    List<String> names = disk.names(path());
    names.removeIf(name -> FilePath.isHidden(name, options));
    return names;
  }

  /**
   * Returns the attributes of an entry.
   *
   * @param name the name of the entry
   * @return the attributes, of the target if it is a link; null if they cannot be read
   */
  public @Nullable BasicFileAttributes attributes(String name) {
    try {
      return disk.attributes(path().resolve(name));
    } catch (HttpError e) {
      return null; // deleted meanwhile, or a broken link
    }
  }
}
