package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the templates that a template names, such as layouts and partials; for those who write a
 * {@link TemplateEngine}.
 *
 * <p>Names in templates are often made of values, which may come from a request: whatever a name
 * says, what is found lies in {@link #root}. Symbolic links in there are followed, since only the
 * author of the views can have made them. Equal ones may share compiled templates.
 *
 * @param root the directory that none may leave: absolute and normalized; with views in a jar, one
 *     in there
 * @param cached whether compiled templates may be kept
 */
public record TemplateFiles(Path root, boolean cached) {

  /**
   * Returns the files that one rendering may see.
   *
   * <p>The root is the setting {@code views} if the view lies in it, else the directory of the
   * view. Only the {@link Settings} of an application count: a map called {@code settings}, which
   * could come from a query, opens nothing. Caching is on if the local {@code cache} is true.
   *
   * @param file the template that is rendered
   * @param locals what it sees; see {@link TemplateEngine#render}
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
   * Finds a template by the name that another one gives it: beside that, else below the root. A
   * name without an extension gets the extension of the template that gives it.
   *
   * @param name its name, relative
   * @param from the template that names it, an absolute path
   * @return its path, absolute and normalized
   * @throws FileNotFoundException if there is none, or none in the root
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
   * Finds a template by its path below the root, with its extension; for engines whose names are
   * such paths.
   *
   * @param path the path, relative
   * @return the path of the file, absolute and normalized
   * @throws FileNotFoundException if there is none, or none in the root
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
   * Returns the path that a text is; for libraries that know templates by texts only. Of views in a
   * jar, {@link Path#of} would make a path elsewhere.
   *
   * @param text the text of the path of a template
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
