package dev.percolate.framework;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder in the setting {@code views} of an application: a directory, or a folder on the class
 * path.
 *
 * @param setting the value of the setting
 * @param resources the folder on the class path; null for a directory
 */
record ViewFolder(String setting, @Nullable ClassPathFolder resources) {

  private static final String ON_CLASS_PATH = "classpath:";

  /**
   * Returns the folder for a value of the setting.
   *
   * @throws IllegalArgumentException if it is an invalid folder on the class path
   */
  static ViewFolder of(String setting) {
    ClassPathFolder resources =
        setting.startsWith(ON_CLASS_PATH)
            ? ClassPathFolder.of(setting, setting.substring(ON_CLASS_PATH.length()))
            : null;
    return new ViewFolder(setting, resources);
  }

  /**
   * Finds a file, which need not be a template.
   *
   * @param name the path below the folder
   * @return the full path; null if it does not exist
   */
  @Nullable Path find(String name) {
    if (resources != null) {
      return resources.find(name);
    }
    Path path = Path.of(setting).resolve(name).toAbsolutePath().normalize();
    return Files.exists(path) ? path : null;
  }

  /**
   * Returns the path of the folder if it contains a file; else null. The path of the file must be
   * absolute.
   */
  @Nullable Path rootOf(Path file) {
    if (resources != null) {
      return resources.rootOf(file);
    }
    Path root = Path.of(setting).toAbsolutePath().normalize();
    return file.startsWith(root) ? root : null;
  }

  /** Returns the full path of the folder, for messages. */
  @Override
  public String toString() {
    boolean whole = resources != null || new File(setting).isAbsolute();
    return whole ? setting : Path.of("").toAbsolutePath() + File.separator + setting;
  }
}
