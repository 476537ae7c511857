package dev.percolate.framework;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One view: its template file, if there is one, and the engine that renders it. */
final class View {

  private final String name;
  private final String root;
  private final TemplateEngine engine;
  private final @Nullable Path file;

  /**
   * Looks a view up.
   *
   * @param name the name as given
   * @param extension the view's extension with its dot, whether it is part of the name or not
   * @param root the directory of relative names
   * @param engine renders it
   */
  View(String name, String extension, String root, TemplateEngine engine) {
    this.name = name;
    this.root = root;
    this.engine = engine;
    String full = extensionOf(name).isEmpty() ? name + extension : name;
    this.file = find(full, extension, root);
  }

  /** Returns the extension of a name with its dot; empty if its last segment has none. */
  static String extensionOf(String name) {
    int segment = Math.max(name.lastIndexOf('/'), name.lastIndexOf(File.separatorChar)) + 1;
    int dot = name.lastIndexOf('.');
    return dot <= segment || name.substring(segment).equals("..") ? "" : name.substring(dot);
  }

  boolean exists() {
    return file != null;
  }

  /**
   * Renders the view.
   *
   * @throws FileNotFoundException if there is no template
   * @throws Exception if the engine fails
   */
  String render(Map<String, @Nullable Object> locals) throws Exception {
    if (file == null) {
      throw new FileNotFoundException(
          "Failed to lookup view \"" + name + "\" in views directory \"" + absolute(root) + "\"");
    }
    return engine.render(file, locals);
  }

  /** Returns a directory as people can find it, whatever directory the process works in. */
  private static String absolute(String directory) {
    boolean whole = new File(directory).isAbsolute();
    return whole ? directory : Path.of("").toAbsolutePath() + File.separator + directory;
  }

  private static @Nullable Path find(String full, String extension, String root) {
    try {
      Path path = Path.of(full);
      if (!full.startsWith("/") && !path.isAbsolute()) {
        path = Path.of(root).resolve(path).toAbsolutePath().normalize();
      }
      if (Files.exists(path)) {
        return path;
      }
      String last = path.getFileName().toString();
      String folder = last.substring(0, last.length() - extension.length());
      Path index = path.resolveSibling(folder).resolve("index" + extension);
      return Files.exists(index) ? index : null;
    } catch (InvalidPathException e) {
      return null; // such as NUL in a name: no file can be called like that
    }
  }
}
