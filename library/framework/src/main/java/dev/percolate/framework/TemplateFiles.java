package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the templates that a template refers to, such as layouts and partials; for implementations
 * of {@link TemplateEngine}.
 *
 * <p>Names in templates are often built from values of a request. Therefore only files in {@link
 * #root} are found, whatever the name is. Symbolic links in the root are followed, because only the
 * author of the views can create them. Equal instances may share compiled templates.
 *
 * @param root the directory of all templates, absolute and normalized; inside a jar if the views
 *     are in one
 * @param cached whether compiled templates may be cached
 */
public record TemplateFiles(Path root, boolean cached) {

  /**
   * Returns the files that one rendering may read.
   *
   * <p>The root is the setting {@code views} if the view is in that directory, else the directory
   * of the view. Only {@link Settings} objects are read: a map named {@code settings}, which could
   * come from a query, is ignored. Caching is on if the local {@code cache} is true.
   *
   * @param file the template that is rendered
   * @param locals the values for the template; see {@link TemplateEngine#render}
   */
  public static TemplateFiles of(Path file, Map<String, ? extends @Nullable Object> locals) {
    Path template = file.toAbsolutePath().normalize();
    boolean cached = Boolean.TRUE.equals(locals.get("cache"));
    if (locals.get("settings") instanceof Settings settings && settings.get("views") != null) {
      Path views = ViewFolder.of(String.valueOf(settings.get("views"))).rootOf(template);
      if (views != null) {
        return new TemplateFiles(views, cached);
      }
    }
    Path folder = template.getParent();
    return new TemplateFiles(folder == null ? template : folder, cached);
  }

  /**
   * Finds a template by its name in another template: next to that template, else in the root. A
   * name without an extension gets the extension of the other template.
   *
   * @param name the relative name
   * @param from the absolute path of the template that refers to it
   * @return the path, absolute and normalized
   * @throws FileNotFoundException if the template does not exist or is outside the root
   */
  public Path find(String name, Path from) throws FileNotFoundException {
    String whole =
        View.extensionOf(name).isEmpty() ? name + View.extensionOf(from.toString()) : name;
    try {
      Path beside = from.resolveSibling(whole).normalize();
      return isTemplate(beside) ? beside : find(whole);
    } catch (InvalidPathException e) {
      throw absent(name, e);
    }
  }

  /**
   * Finds a template by its path below the root, with its extension; for engines that use such
   * paths as names.
   *
   * @param path the relative path
   * @return the path of the file, absolute and normalized
   * @throws FileNotFoundException if the template does not exist or is outside the root
   */
  public Path find(String path) throws FileNotFoundException {
    try {
      Path below = root.resolve(path).normalize();
      if (isTemplate(below)) {
        return below;
      }
    } catch (InvalidPathException e) {
      throw absent(path, e);
    }
    throw absent(path, null);
  }

  /**
   * Converts a string to a path, for libraries that identify templates by strings. For views in a
   * jar, {@link Path#of} would use the wrong file system.
   *
   * @param text the path of a template as a string
   */
  public Path path(String text) {
    return root.getFileSystem().getPath(text);
  }

  private boolean isTemplate(Path path) {
    return path.startsWith(root) && Files.isRegularFile(path);
  }

  private FileNotFoundException absent(String name, @Nullable Throwable cause) {
    String message = "No template \"" + name + "\" in the directory \"" + root + "\"";
    FileNotFoundException absent = new FileNotFoundException(message);
    absent.initCause(cause);
    return absent;
  }
}
