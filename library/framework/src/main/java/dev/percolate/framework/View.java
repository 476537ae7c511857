package dev.percolate.framework;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A view: its template file, if it exists, and the engine that renders it. */
record View(String name, ViewFolder folder, TemplateEngine engine, @Nullable Path file) {

  /**
   * Looks up a view.
   *
   * @param name the name as given
   * @param extension the extension with its dot, whether the name contains it or not
   * @param folder the folder for relative names
   * @param engine the engine that renders the view
   */
  View(String name, String extension, ViewFolder folder, TemplateEngine engine) {
    this(name, folder, engine, find(name, extension, folder));
  }

  /** Returns the extension of a name with its dot; empty if the last segment has none. */
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
   * @throws FileNotFoundException if the template does not exist
   * @throws Exception if the engine fails
   */
  String render(Map<String, @Nullable Object> locals) throws Exception {
    if (file == null) {
      throw new FileNotFoundException(
          "Failed to lookup view \"" + name + "\" in views directory \"" + folder + "\"");
    }
    return engine.render(file, locals);
  }

  private static @Nullable Path find(String name, String extension, ViewFolder folder) {
    String full = extensionOf(name).isEmpty() ? name + extension : name;
    try {
      boolean relative = !full.startsWith("/") && !Path.of(full).isAbsolute();
      Path file = relative ? folder.find(full) : existing(full);
      if (file != null) {
        return file;
      }
      String bare = full.substring(0, full.length() - extension.length());
      String index = bare + (bare.isEmpty() || bare.endsWith("/") ? "index" : "/index") + extension;
      return relative ? folder.find(index) : existing(index);
    } catch (InvalidPathException e) {
      return null; // no file can have such a name, for example with NUL
    }
  }

  private static @Nullable Path existing(String name) {
    Path path = Path.of(name);
    return Files.exists(path) ? path : null;
  }
}
