package dev.percolate.framework;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the views of an application lie, as its setting {@code views} says. */
interface ViewFolder {

  /** What the setting begins with if it names a folder of the class path. */
  String ON_CLASS_PATH = "classpath:";

  /**
   * Returns what a setting names.
   *
   * @throws IllegalArgumentException if it cannot be a folder of the class path, but says so
   */
  static ViewFolder of(String setting) {
    return setting.startsWith(ON_CLASS_PATH)
        ? ClassPathFolder.of(setting, setting.substring(ON_CLASS_PATH.length()))
        : new Directory(setting);
  }

  /**
   * Finds a file, be it a template or not.
   *
   * @param name its path below the folder
   * @return its whole path; null if there is none
   */
  @Nullable Path find(String name);

  /** Returns the path of the folder if a file lies in it, which is absolute; otherwise null. */
  @Nullable Path rootOf(Path file);

  /** Returns it as people can find it, whatever directory the process works in. */
  @Override
  String toString();

  /**
   * A directory.
   *
   * @param name its path, as given
   */
  record Directory(String name) implements ViewFolder {

    @Override
    public @Nullable Path find(String file) {
      Path path = Path.of(name).resolve(file).toAbsolutePath().normalize();
      return Files.exists(path) ? path : null;
    }

    @Override
    public @Nullable Path rootOf(Path file) {
      Path root = Path.of(name).toAbsolutePath().normalize();
      return file.startsWith(root) ? root : null;
    }

    @Override
    public String toString() {
      boolean whole = new File(name).isAbsolute();
      return whole ? name : Path.of("").toAbsolutePath() + File.separator + name;
    }
  }
}
