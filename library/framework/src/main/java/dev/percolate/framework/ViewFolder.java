package dev.percolate.framework;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the views of an application lie, as its setting {@code views} says: in a directory, or on
 * the class path.
 *
 * @param setting what it says
 * @param resources the folder of the class path; null for a directory
 */
record ViewFolder(String setting, @Nullable ClassPathFolder resources) {

  private static final String ON_CLASS_PATH = "classpath:";

  /**
   * Returns what a setting names.
   *
   * @throws IllegalArgumentException if it cannot be a folder of the class path, but says so
   */
  static ViewFolder of(String setting) {
    ClassPathFolder resources =
        setting.startsWith(ON_CLASS_PATH)
            ? ClassPathFolder.of(setting, setting.substring(ON_CLASS_PATH.length()))
            : null;
    return new ViewFolder(setting, resources);
  }

  /**
   * Finds a file, be it a template or not.
   *
   * @param name its path below the folder
   * @return its whole path; null if there is none
   */
  @Nullable Path find(String name) {
    if (resources != null) {
      return resources.find(name);
    }
    Path path = Path.of(setting).resolve(name).toAbsolutePath().normalize();
    return Files.exists(path) ? path : null;
  }

  /** Returns the path of the folder if a file lies in it, which is absolute; otherwise null. */
  @Nullable Path rootOf(Path file) {
    if (resources != null) {
      return resources.rootOf(file);
    }
    Path root = Path.of(setting).toAbsolutePath().normalize();
    return file.startsWith(root) ? root : null;
  }

  /** Returns it as people can find it, whatever directory the process works in. */
  @Override
  public String toString() {
    boolean whole = resources != null || new File(setting).isAbsolute();
    return whole ? setting : Path.of("").toAbsolutePath() + File.separator + setting;
  }
}
