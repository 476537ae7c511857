package dev.percolate.core;

import dev.percolate.http.HttpError;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the place in the file system that a path from outside names, below the root if there is
 * one.
 *
 * @param file the place, absolute
 * @param folder whether the path as received ended with a slash
 * @param slash whether it does once decoded, so that no file can be meant
 * @param named whether it names something below the root, rather than the root itself
 */
record FilePath(Path file, boolean folder, boolean slash, boolean named) {

  private static final String AMBIGUOUS = "path.ambiguous";

  /**
   * Decodes a path that a request brings; see {@link #decode(String, FileOptions)}. Where targets
   * are normalised, escapes are refused that could hide it from a guard: those of slashes, which
   * mounts and routes take for text, and those that a normal path does not have, so that somebody
   * has escaped them twice.
   *
   * @param normalised whether they are
   * @throws HttpError 400, 403 or 404; for such an escape 400 of type {@code path.ambiguous} if
   *     what stands in front of it is a directory, else 404
   */
  static FilePath decode(String path, FileOptions options, boolean normalised) {
    int escape = normalised ? NormalPath.doubtfulEscape(path) : -1;
    if (escape >= 0) {
      throw isDirectory(path.substring(0, escape), options)
          ? new HttpError(400, "the path can be taken for another one", AMBIGUOUS, null)
          : FileRoot.absent("ENOENT");
    }
    return decode(path, options);
  }

  /**
   * Decodes a path, once, and refuses it if it is malformed, leads out of the root, or names what
   * is hidden.
   *
   * @throws HttpError 400, 403 or 404
   */
  static FilePath decode(String path, FileOptions options) {
    String decoded = Percent.decode(path);
    if (decoded == null || decoded.indexOf('\0') >= 0) {
      throw new HttpError(400);
    }
    Path root = options.root();
    List<String> parts = parts(decoded);
    if (climbs(root != null ? String.join("/", parts) : decoded)) {
      throw new HttpError(403);
    }
    boolean slash = decoded.endsWith("/");
    refuseDotfiles(parts, slash, options);
    try {
      Path file = root != null ? below(root, parts) : Path.of(decoded).toAbsolutePath();
      return new FilePath(file, path.endsWith("/"), slash, !parts.isEmpty());
    } catch (InvalidPathException e) {
      throw new HttpError(404).with("code", "ENOENT");
    }
  }

  /**
   * Takes a path of the application's own. Without a root it is as good as any; below a root it
   * must stay there, and the rules for hidden files hold.
   *
   * @throws HttpError 403 or 404
   */
  static FilePath of(Path path, FileOptions options) {
    Path root = options.root();
    if (root == null) {
      return new FilePath(path.toAbsolutePath(), false, false, true);
    }
    Path file = root.resolve(path).normalize();
    if (!file.startsWith(root)) {
      throw new HttpError(403);
    }
    List<String> parts = new ArrayList<>();
    root.relativize(file).forEach(part -> parts.add(part.toString()));
    refuseDotfiles(parts, false, options);
    return new FilePath(file, false, false, true);
  }

  /** Tells whether the name has an extension: a dot other than as its first character. */
  boolean hasExtension() {
    return name().lastIndexOf('.') > 0;
  }

  /** Returns the place beside this one that has an extension added to its name. */
  Path with(String extension) {
    return file.resolveSibling(name() + "." + extension);
  }

  /** Tells whether a name begins with a dot, and the options do not let it be seen. */
  static boolean isHidden(String name, FileOptions options) {
    boolean shown = options.dotfiles == null ? options.hidden : options.dotfiles.equals("allow");
    return !shown && name.startsWith(".") && !options.dotted.contains(name);
  }

  /** Tells whether a part cannot be a name of its own where backslashes separate names. */
  static boolean isForeign(String part) {
    return part.indexOf('\\') >= 0
        || part.indexOf(':') >= 0
        || part.endsWith(".")
        || part.endsWith(" ");
  }

  private String name() {
    Path name = file.getFileName();
    return name == null ? "" : name.toString();
  }

  /** Returns the parts that are left when dots are resolved; those that lead out come first. */
  private static List<String> parts(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      int last = parts.size() - 1;
      if (part.equals("..") && last >= 0 && !parts.get(last).equals("..")) {
        parts.remove(last);
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** Tells whether two dots stand between separators, of whatever system. */
  private static boolean climbs(String path) {
    for (int i = path.indexOf(".."); i >= 0; i = path.indexOf("..", i + 1)) {
      boolean begins = i == 0 || isSeparator(path.charAt(i - 1));
      if (begins && (i + 2 == path.length() || isSeparator(path.charAt(i + 2)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSeparator(char c) {
    return c == '/' || c == '\\';
  }

  private static void refuseDotfiles(List<String> parts, boolean slash, FileOptions options) {
    int from = options.dottedFolders ? parts.size() - (slash ? 0 : 1) : 0;
    if (parts.stream().skip(Math.max(0, from)).anyMatch(part -> isHidden(part, options))) {
      throw new HttpError("deny".equals(options.dotfiles) ? 403 : 404);
    }
  }

  private static boolean isDirectory(String path, FileOptions options) {
    try {
      return options.source().attributes(decode(path, options).file()).isDirectory();
    } catch (HttpError e) {
      return false;
    }
  }

  private static Path below(Path root, List<String> parts) {
    FileSystem system = root.getFileSystem();
    if (system.getSeparator().equals("\\") && parts.stream().anyMatch(FilePath::isForeign)) {
      throw new HttpError(404).with("code", "ENOENT");
    }
    Path file = root;
    for (String part : parts) {
      file = file.resolve(part);
    }
    return file;
  }
}
