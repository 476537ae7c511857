package dev.percolate.framework;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A folder on the class path, in directories and jars. A file in a jar has a path in the file
 * system of the jar. That file system stays open as long as the process runs, like the jar.
 *
 * @param name the name, with slashes between its parts
 */
record ClassPathFolder(String name) {

  /**
   * Creates a folder from its name.
   *
   * @param setting the value of the setting, for messages
   * @param folder the name
   * @throws IllegalArgumentException if the name is invalid, or the folder contains other resources
   */
  static ClassPathFolder of(String setting, String folder) {
    String name = normalized(folder);
    if (name == null) {
      throw new IllegalArgumentException("views \"" + setting + "\": invalid folder name");
    }
    if (name.isEmpty() || name.equalsIgnoreCase("META-INF")) {
      throw new IllegalArgumentException(
          "views \"" + setting + "\": contains more than views; use a folder of views");
    }
    return new ClassPathFolder(name);
  }

  /**
   * Finds a resource.
   *
   * @param file its path below the folder
   * @return the path of its file; null if it does not exist
   */
  @Nullable Path find(String file) {
    String below = normalized(file);
    return below == null ? null : resource(name + "/" + below);
  }

  /** Returns the path of the folder if it contains a file; else null. */
  @Nullable Path rootOf(Path file) {
    if (file.getFileSystem() != FileSystems.getDefault()) {
      Path root = file.getFileSystem().getPath("/" + name);
      return file.startsWith(root) ? root : null;
    }
    Path last = Path.of(name);
    for (int names = last.getNameCount(); names < file.getNameCount(); names++) {
      Path root = file.getRoot().resolve(file.subpath(0, names));
      if (root.endsWith(last) && file.equals(find(root.relativize(file).toString()))) {
        return root; // the first directory with this name may not be on the class path
      }
    }
    return null;
  }

  /** Returns a path without dot segments and empty segments; null if it leads outside. */
  private static @Nullable String normalized(String path) {
    StringBuilder parts = new StringBuilder();
    for (String part : path.replace(File.separatorChar, '/').split("/", -1)) {
      if (part.equals("..")) {
        int last = parts.lastIndexOf("/");
        if (last < 0) {
          return null;
        }
        parts.setLength(last);
      } else if (part.indexOf('\\') >= 0 || part.indexOf(':') >= 0 || part.indexOf('\0') >= 0) {
        return null;
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.append('/').append(part);
      }
    }
    return parts.isEmpty() ? "" : parts.substring(1);
  }

  private static @Nullable Path resource(String name) {
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = ofThread == null ? ClassPathFolder.class.getClassLoader() : ofThread;
    URL url = loader.getResource(name);
    if (url == null) {
      return null;
    }
    try {
      Path path = path(url.toURI());
      return Files.exists(path) ? path : null;
    } catch (URISyntaxException | IOException e) {
      throw new IllegalStateException("cannot read class path resource as a file: " + url, e);
    }
  }

  private static Path path(URI uri) throws IOException {
    try {
      return Path.of(uri);
    } catch (FileSystemNotFoundException none) {
      open(uri);
      return Path.of(uri);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // stays open for other threads
  private static void open(URI uri) throws IOException {
    try {
      FileSystems.newFileSystem(uri, Map.of());
    } catch (FileSystemAlreadyExistsException another) {
      return; // opened by another thread
    }
  }
}
